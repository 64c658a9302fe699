---- MODULE Plain ----
Shared == 1
====
