---- MODULE Cycle2 ----
INSTANCE Cycle1
====
