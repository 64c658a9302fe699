---- MODULE no_end ----
A == 1
