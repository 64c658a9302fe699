module util/integer

-- Arithmetic within the bitwidth of the command. Every module opens this one.

/** Sum. */
fun plus [n1, n2: Int]: Int { n1 fun/add n2 }
fun add [n1, n2: Int]: Int { n1 fun/add n2 }

/** Difference. */
fun minus [n1, n2: Int]: Int { n1 fun/sub n2 }
fun sub [n1, n2: Int]: Int { n1 fun/sub n2 }

/** Product. */
fun mul [n1, n2: Int]: Int { n1 fun/mul n2 }

/** Quotient, rounded towards zero. */
fun div [n1, n2: Int]: Int { n1 fun/div n2 }

/** What is left by the quotient: n1 = (n1 div n2) * n2 + rem. */
fun rem [n1, n2: Int]: Int { n1 fun/rem n2 }

/** The number with the other sign. */
fun negate [n: Int]: Int { 0 fun/sub n }

/** -1, 0 or 1, as the number is negative, zero or positive. */
fun signum [n: Int]: Int { n > 0 => 1 else (n < 0 => -1 else 0) }

pred eq [n1, n2: Int] { int[n1] = int[n2] }
pred gt [n1, n2: Int] { n1 > n2 }
pred lt [n1, n2: Int] { n1 < n2 }
pred gte [n1, n2: Int] { n1 >= n2 }
pred lte [n1, n2: Int] { n1 <= n2 }

pred zero [n: Int] { n = 0 }
pred pos [n: Int] { n > 0 }
pred neg [n: Int] { n < 0 }
pred nonpos [n: Int] { n <= 0 }
pred nonneg [n: Int] { n >= 0 }

/** The largest number there is. */
fun max: one Int { fun/max }

/** The smallest number there is. */
fun min: one Int { fun/min }

/** From each number to the one after it. */
fun next: Int->Int { fun/next }

/** From each number to the one before it. */
fun prev: Int->Int { ~(fun/next) }

/** The largest of some numbers. */
fun max [es: set Int]: lone Int { es - es.^(~(fun/next)) }

/** The smallest of some numbers. */
fun min [es: set Int]: lone Int { es - es.^(fun/next) }

/** All numbers below. */
fun prevs [e: Int]: set Int { e.^(~(fun/next)) }

/** All numbers above. */
fun nexts [e: Int]: set Int { e.^(fun/next) }

/** The larger of two. */
fun larger [e1, e2: Int]: Int { let a = int[e1], b = int[e2] | b > a => b else a }

/** The smaller of two. */
fun smaller [e1, e2: Int]: Int { let a = int[e1], b = int[e2] | b > a => a else b }

/** The element with as many elements before it, in the order that next gives to s. */
fun int2elem [i: Int, next: univ->univ, s: set univ]: lone s { { e: s | #(^next.e) = int[i] } }

/** How many elements are before it. */
fun elem2int [e: univ, next: univ->univ]: lone Int { Int[#(^next.e)] }
