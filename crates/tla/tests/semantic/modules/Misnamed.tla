---- MODULE Other ----
====
