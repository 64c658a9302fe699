module util/time

-- Moments, and ways to say how a state changes from one to another.

open util/ordering[Time]

sig Time {}

/** A field with one value at every moment. */
let dynamic [x] = x one -> Time

/** A field with any number of values at every moment. */
let dynamicSet [x] = x -> Time

/** First one step, then another. */
let then [a, b, t, t"] { some between: Time | a[t, between] and b[between, t"] }

/** A step repeated as long as a condition holds, at most three times. */
let while = while3

let while0 [cond, body, t, t"] { not cond[t] and t = t" }
let while1 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while0[cond, body, x, t"] }
let while2 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while1[cond, body, x, t"] }
let while3 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while2[cond, body, x, t"] }
let while4 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while3[cond, body, x, t"] }
let while5 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while4[cond, body, x, t"] }
let while6 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while5[cond, body, x, t"] }
let while7 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while6[cond, body, x, t"] }
let while8 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while7[cond, body, x, t"] }
let while9 [cond, body, t, t"] { some x: Time | (cond[t] => body[t, x] else t = x) and while8[cond, body, x, t"] }
