enum Colour { Red, Green }
sig Light { var shows: one Colour, near: set Light }
pred turns { some l: Light | l.shows' != l.shows }
run Apart { some disj a, b: Light | a.shows != b.shows } for 3 but 5 steps
check Never { always some Light } for 3
check Alone { no near } for 3 expect 1
