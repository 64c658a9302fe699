---- MODULE Holder ----
---- MODULE Held ----
CONSTANT C
Same(x) == x = C
====
====
