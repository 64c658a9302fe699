---- MODULE Variants ----
\* Values with a tag that says of which kind they are.
UNIT == "U_OF_UNIT"
Variant(tag, value) == [tag |-> tag, value |-> value]
VariantTag(variant) == variant.tag
VariantGetUnsafe(tag, variant) == variant.value
VariantGetOrElse(tag, variant, default) == IF variant.tag = tag THEN variant.value ELSE default
VariantFilter(tag, S) == {v.value : v \in {w \in S : w.tag = tag}}
====
