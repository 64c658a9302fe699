---- MODULE IOUtils ----
\* The outside world. A specification that is checked neither runs programs nor writes files.
IOSerialize(val, file, compress) == NATIVE
IODeserialize(file, compressed) == NATIVE
Serialize(value, dest, options) == NATIVE
Deserialize(src, options) == NATIVE
IOExec(command) == NATIVE
IOEnvExec(env, command) == NATIVE
IOExecTemplate(commandTemplate, parameters) == NATIVE
IOEnvExecTemplate(env, commandTemplate, parameters) == NATIVE
IOEnv == NATIVE
IOEnvGet(name) == NATIVE
atoi(str) == NATIVE
zeroPadN(n, width) == NATIVE
====
