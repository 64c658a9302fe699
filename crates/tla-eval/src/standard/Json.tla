---- MODULE Json ----
\* Values as JSON text, and files of it. Writing files is refused.
ToJson(value) == NATIVE
ToJsonArray(value) == NATIVE
ToJsonObject(value) == NATIVE
JsonSerialize(file, value) == NATIVE
JsonDeserialize(file) == NATIVE
ndJsonSerialize(file, value) == NATIVE
ndJsonDeserialize(file) == NATIVE
====
