/** One pigeon too many: easy to ask, and hard to answer without symmetry. */
sig Hole {}
sig Pigeon { hole: one Hole }

fact { all disj p, q: Pigeon | p.hole != q.hole }
run Everywhere {} for exactly 14 Pigeon, exactly 13 Hole
run Few {} for exactly 2 Pigeon, exactly 2 Hole
