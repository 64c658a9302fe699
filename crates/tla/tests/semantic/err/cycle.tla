---- MODULE cycle ----
EXTENDS Cycle1
====
