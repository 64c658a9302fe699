---- MODULE Toolbox ----
\* What the Toolbox adds to a model.
EXTENDS TLC
_TETrace == NATIVE
_TEPosition == NATIVE
====
