---- MODULE second_module ----
EXTENDS Naturals, Holder
---- MODULE Naturals ----
====
---- MODULE Held ----
====
---- MODULE Own ----
====
---- MODULE Own ----
====
====
