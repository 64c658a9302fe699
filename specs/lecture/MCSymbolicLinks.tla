---------------------------- MODULE MCSymbolicLinks ----------------------------
(* Targets for SymbolicLinks: a configuration file cannot have sequences.    *)
EXTENDS SymbolicLinks

SomeTargets == { <<"a">>, <<"b">>, <<"a", "a">>, <<"", "b">>, <<"", "a", "b">>, <<"b", "a">>, <<"c">>, <<"", "a", "c", "b">> }
=============================================================================
