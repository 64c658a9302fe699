module util/text

-- What strings look like. These relations are computed from the strings that are present.

private one sig Native {
  prefix, suffix, matches: String->String,
  length, number: String->Int
}

/** From a string to those that begin with it. A string begins with itself. */
fun prefix: String->String { Native.prefix }

/** From a string to those that end with it. A string ends with itself. */
fun suffix: String->String { Native.suffix }

/** From a pattern (a regular expression for the whole string) to what matches it. */
fun matches: String->String { Native.matches }

/** How many characters it has. Where integers have a scope, lengths beyond it are missing. */
fun length: String->Int { Native.length }

/** The number it writes in decimal. Where integers have a scope, numbers beyond it are missing. */
fun number: String->Int { Native.number }
