/** Ports on networks, and what may be said of their addresses. */
abstract sig Network {}
one sig Inside, Outside extends Network {}
sig Address {}
sig Port { network: one Network, address: lone Address }

fact { all n: Network | one network.n }

/** A port has at most one address, and nothing says that two have different ones. */
assert Apart { all disj p, q: Port | p.address != q.address }

run Plain { no Address }
check Apart for 2 but exactly 1 Address expect 1
check Ports { #Port = 2 } for 4 expect 0
