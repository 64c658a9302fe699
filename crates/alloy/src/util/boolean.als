module util/boolean

-- Truth values as atoms, for models that store them.

abstract sig Bool {}
one sig True, False extends Bool {}

/** The value is true. */
pred isTrue [b: Bool] { b = True }

/** The value is false. */
pred isFalse [b: Bool] { b = False }

/** The other value. */
fun Not [b: Bool]: Bool { Bool - b }

/** True if both are. */
fun And [b1, b2: Bool]: Bool { truth[False !in b1 + b2] }

/** True if at least one is. */
fun Or [b1, b2: Bool]: Bool { truth[True in b1 + b2] }

/** True if exactly one is. */
fun Xor [b1, b2: Bool]: Bool { truth[b1 != b2] }

/** True unless both are. */
fun Nand [b1, b2: Bool]: Bool { truth[False in b1 + b2] }

/** True if neither is. */
fun Nor [b1, b2: Bool]: Bool { truth[True !in b1 + b2] }

private let truth [formula] = formula => True else False
