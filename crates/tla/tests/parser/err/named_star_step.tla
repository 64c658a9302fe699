---- MODULE named_star_step ----
THEOREM TRUE
<1>1. TRUE
<*>2. TRUE
<1>3. QED
====
