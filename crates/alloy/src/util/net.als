module util/net

-- Addresses and networks, written as strings: `10.0.0.7`, `2001:db8::1`, `10.0.0.0/8`. These relations are computed
-- from the strings that are present; a string that is neither address nor network is in none of them.

private one sig Native {
  contains, overlaps, first, second, last: String->String,
  version, rank, prefix_length: String->Int
}

/** From a network to the addresses and networks within it. A network contains itself. */
fun contains: String->String { Native.contains }

/** From a network to those that share an address with it. */
fun overlaps: String->String { Native.overlaps }

/** From a network to its first address, if that is present. */
fun first: String->String { Native.first }

/** From a network to the address after its first, if that is present: often that of a router. */
fun second: String->String { Native.second }

/** From a network to its last address, if that is present. */
fun last: String->String { Native.last }

/** 4 or 6. */
fun version: String->Int { Native.version }

/** How many bits of its addresses a network fixes: 8 for `10.0.0.0/8`. Of an address these are all, 32 or 128. */
fun prefix_length: String->Int { Native.prefix_length }

/** The position of an address in the order of all addresses that are present, from 0: `a.rank < b.rank` compares them.
    Addresses of version 4 come before those of version 6. Where integers have a scope, positions beyond it are missing. */
fun rank: String->Int { Native.rank }

/** It is an address or a network. */
pred valid [s: String] { some s.(Native.version) }
