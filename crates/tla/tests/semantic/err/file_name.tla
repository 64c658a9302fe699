---- MODULE another_name ----
====
