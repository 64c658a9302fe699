---- MODULE TLCExt ----
\* More operators for model checking.
LOCAL INSTANCE TLC
AssertEq(a, b) == NATIVE
AssertError(err, exp) == NATIVE
TLCModelValue(str) == NATIVE
TLCDefer(expression) == NATIVE
TLCNoOp(val) == NATIVE
TLCCache(expression, closure) == expression
PickSuccessor(exp) == TRUE
Trace == NATIVE
CounterExample == NATIVE
TLCGetOrDefault(key, defaultVal) == NATIVE
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
    LET old == TLCGetOrDefault(key, defaultVal)
    IN  IF TLCSet(key, Op(old, val)) THEN old ELSE old
TLCFP(var) == NATIVE
ToTrace(CE) == NATIVE
TLCEvalDefinition(definitionName) == NATIVE
====
