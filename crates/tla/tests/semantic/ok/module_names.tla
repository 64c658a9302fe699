---- MODULE module_names ----
EXTENDS Holder
\* The names of modules are apart from those of definitions, and what is within an extended module is in reach.
VARIABLE Held
H == INSTANCE Held WITH C <- Held
---- MODULE Own ----
One == 1
====
Own == INSTANCE Own
A == H!Same(Own!One)
====
