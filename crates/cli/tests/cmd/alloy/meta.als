sig A { f: set A }
run { some f } for 3
run { some A$.fields } for 3
