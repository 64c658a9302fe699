sig Person { home: lone House }
sig House {}

pred Neighbours[p, q: Person] { p.hom = q.home }
run Neighbours for 3
