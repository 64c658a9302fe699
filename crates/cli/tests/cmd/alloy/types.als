sig Person { home: lone House }
sig House { street: one Street }
sig Street {}

fact { all p: Person | some p.street }
fact { all p: Person, h: House | some p.home }
run {} for 2
