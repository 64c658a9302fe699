---- MODULE self ----
A == INSTANCE self
====
