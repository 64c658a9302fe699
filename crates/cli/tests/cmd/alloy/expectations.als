sig Node { next: lone Node }

run Loop { some n: Node | n in n.^next } for 3 expect 0
run Two { #Node = 2 } for 1 expect 1
