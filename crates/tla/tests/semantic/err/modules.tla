---- MODULE modules ----
EXTENDS Missing, Natural
I == INSTANCE Misnamed
J == INSTANCE Cycle1
====
