---- MODULE Toolbox ----
\* What the Toolbox adds to a model.
LOCAL INSTANCE TLC
_TETrace == NATIVE
_TEPosition == NATIVE
====
