/** Where the parts of a service run: replicas on hosts, hosts in zones. */
module placement

sig Zone {}

sig Host { zone: one Zone }

sig Service { replicas: some Replica }

sig Replica { host: one Host }

/** A replica belongs to one service. */
fact owned { all r: Replica | one replicas.r }

/** Replicas of one service are on different hosts. */
fact apart { all s: Service | all disj a, b: s.replicas | a.host != b.host }

/** Replicas of one service are in two zones at least, if there are two of them. */
fact spread { all s: Service | #s.replicas > 1 implies #s.replicas.host.zone > 1 }

/** Whatever zone fails, a service with two replicas has one left. */
check Survives {
  all s: Service, failed: Zone | #s.replicas > 1 implies some s.replicas.host.zone - failed
} for 5

/** There is a placement with three replicas at all: the rules do not contradict each other. */
run Example { some s: Service | #s.replicas > 2 } for 5
