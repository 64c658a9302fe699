---- MODULE Cycle1 ----
EXTENDS Cycle2
====
