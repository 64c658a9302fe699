sig Node { next: one Node }

fact { some n: Node | no n.next }
assert Anything { no Node }
check Anything for 3
