module compose/limits
open compose/core
open util/text as text

/** CMP240 capability: A capability is one that Linux has.
 *
 *  @message {s} names the capability {x.value}, which there is not
 *  @at x.value
 *  @help write it as in `man 7 capabilities`, with or without `CAP_`, or `ALL`
 *  @when always
 *  @openstack the container is not created: "unknown capability"
 */
fact capabilities_are_known {
  all s: Service, x: s.settings & key.("cap_add" + "cap_drop") | x.value in capabilities.(text/matches)
}

private fun capabilities: set String {
  "(?i)ALL"
    + "(?i)(CAP_)?(AUDIT_CONTROL|AUDIT_READ|AUDIT_WRITE|BLOCK_SUSPEND|BPF|CHECKPOINT_RESTORE|CHOWN|DAC_OVERRIDE)"
    + "(?i)(CAP_)?(DAC_READ_SEARCH|FOWNER|FSETID|IPC_LOCK|IPC_OWNER|KILL|LEASE|LINUX_IMMUTABLE|MAC_ADMIN)"
    + "(?i)(CAP_)?(MAC_OVERRIDE|MKNOD|NET_ADMIN|NET_BIND_SERVICE|NET_BROADCAST|NET_RAW|PERFMON|SETFCAP|SETGID)"
    + "(?i)(CAP_)?(SETPCAP|SETUID|SYS_ADMIN|SYS_BOOT|SYS_CHROOT|SYS_MODULE|SYS_NICE|SYS_PACCT|SYS_PTRACE|SYS_RAWIO)"
    + "(?i)(CAP_)?(SYS_RESOURCE|SYS_TIME|SYS_TTY_CONFIG|SYSLOG|WAKE_ALARM)"
}

/** CMP241 log-driver: A driver of logs is there.
 *
 *  All that Docker does not bring along are plugins that must be installed.
 *
 *  @severity warning
 *  @message {s} has the log driver {x.value}, which is not one of Docker's own
 *  @at x.value
 *  @help correct it, or install the plugin
 *  @when end
 *  @openstack the container is not created: "plugin not found"
 */
fact drivers_of_logs_are_there {
  all s: Service, x: s.settings & key."logging.driver" |
    x.value in (log_drivers + "(?s).*[/:].*").(text/matches)
}

private fun log_drivers: set String {
  "none|local|json-file|syslog|journald|gelf|fluentd|awslogs|splunk|etwlogs|gcplogs|logentries|loki"
}

/** CMP242 log-option: An option of a log driver is one that it knows.
 *
 *  @message {s} gives the log driver {d.value} the option {x.option}, which it does not know
 *  @at x.value
 *  @also d.value the driver
 *  @help correct it, or remove it
 *  @when always
 *  @openstack the container is not created: "unknown log opt"
 */
fact options_of_logs_are_known {
  all s: Service, d: s.settings & key."logging.driver", x: s.settings & key."logging.options" |
    some d.value.log_options implies x.option in (d.value.log_options + of_all_drivers).(text/matches)
}

private fun log_options: String->String {
  "json-file"->("max-size|max-file|compress" + of_messages)
    + "local"->"max-size|max-file|compress"
    + "journald"->of_messages
    + "syslog"->("syslog-(address|facility|format|tls-ca-cert|tls-cert|tls-key|tls-skip-verify)" + of_messages)
    + "gelf"->("gelf-(address|compression-level|compression-type|tcp-max-reconnect|tcp-reconnect-delay)" + of_messages)
    + "fluentd"->("fluentd-(address|async|async-connect|async-reconnect-interval|buffer-limit|max-retries)" + of_messages)
    + "fluentd"->"fluentd-(read-timeout|request-ack|retry-wait|sub-second-precision|write-timeout)"
}

/** What is said of where a message comes from. */
private fun of_messages: set String { "labels|labels-regex|env|env-regex|tag" }

private fun of_all_drivers: set String { "mode|max-buffer-size|cache-(disabled|max-size|max-file|compress)" }

/** CMP243 log-option-value: The values of options of log drivers can be read.
 *
 *  @message {s} has {x.option} of its logs at {x.value}, which Docker cannot read
 *  @at x.value
 *  @help write a size such as `10m`, a number of files of at least 1, `true`, `blocking`, or `tcp://HOST:PORT`
 *  @when always
 *  @openstack the container is not created: "failed to initialize logging driver"
 */
fact values_of_log_options_are_read {
  all s: Service, x: s.settings & key."logging.options" |
    (some rotating & s implies (x.option = "max-size" implies x.value in sizes.(text/matches))
      and (x.option = "max-file" implies x.value in "0*[1-9][0-9]*".(text/matches)))
    and (some rotating & s and x.option = "compress" implies x.value in truth.(text/matches))
    and (x.option = "max-buffer-size" and "non-blocking" in options[s, "mode"] implies x.value in sizes.(text/matches))
    and (x.option = "syslog-address" implies x.value in "(?s)(tcp|tcp\\+tls|udp|unix|unixgram)://.*".(text/matches))
    and (x.option = "mode" implies x.value in "blocking" + "non-blocking")
    and (x.option = "syslog-facility" implies x.value in facilities.(text/matches))
}

/** Services whose logs are files that Docker writes, as far as the file says. */
private fun rotating: set Service {
  { s: Service | (s.settings & key."logging.driver").value in "json-file" + "local" }
}

private fun options [s: Service, name: String]: set String {
  (s.settings & key."logging.options" & option.name).value
}

private fun truth: set String { "1|0|[tT]|[fF]|true|True|TRUE|false|False|FALSE" }

private fun sizes: set String { "(?i)[0-9]+(\\.[0-9]+)? ?([kmgtp]i?b?|b)?" }

private fun facilities: set String {
  "kern|user|mail|daemon|auth|syslog|lpr|news|uucp|cron|authpriv|ftp|local[0-7]|[0-9]|1[0-9]|2[0-3]"
}

/** CMP244 memory-too-small: A container has at least 6 MB of memory.
 *
 *  A number without a unit is a number of bytes.
 *
 *  @message {s} may use {l.memory} bytes of memory, and Docker needs 6291456
 *  @at l.memory
 *  @help give it more, with a unit: `64m`
 *  @when always
 *  @openstack the container is not created: "Minimum memory limit allowed is 6MB"
 */
fact memory_suffices {
  all s: Service, l: s.limits | some l.memory and s.replicas > 0 implies l.memory >= 6291456
}

/** CMP245 swap-below-memory: Memory and swap together are no less than memory.
 *
 *  `memswap_limit` is the sum of both.
 *
 *  @message {s} has a `memswap_limit` below its limit of memory
 *  @at x.value
 *  @also l.memory the limit of memory
 *  @help give it at least the limit of memory, which stands for no swap
 *  @when always
 *  @openstack the container is not created: "Minimum memoryswap limit should be larger than memory limit"
 */
fact swap_is_above_memory {
  all s: Service, x: s.settings & key."memswap_limit", l: s.limits |
    some l.memory and x.number > 0 implies x.number >= l.memory
}

/** CMP246 swap-without-memory: A service with a limit of swap has one of memory.
 *
 *  @message {s} has a `memswap_limit` and no limit of memory
 *  @at x.value
 *  @help add `mem_limit`
 *  @when always
 *  @openstack the container is not created: "You should always set the Memory limit when using Memoryswap limit"
 */
fact swap_needs_memory {
  all s: Service, x: s.settings & key."memswap_limit" | x.number > 0 implies some s.limits
}

/** CMP247 number-out-of-range: Numbers about memory and processors are within the bounds of Linux.
 *
 *  @message {s} has {x.value} as {x.key}, which is out of bounds
 *  @at x.value
 *  @help `mem_swappiness` is 0 to 100, `cpu_period` 1000 to 1000000, `cpu_quota` at least 1000, `cpu_shares` at least 2
 *  @when always
 *  @openstack the container is not created
 */
fact numbers_are_within_bounds {
  all s: Service, x: s.settings |
    (x.key = "mem_swappiness" implies x.number >= -1 and x.number <= 100)
    and (x.key = "cpu_period" and x.number != 0 implies x.number >= 1000 and x.number <= 1000000)
    and (x.key = "cpu_quota" and x.number > 0 implies x.number >= 1000)
    and (x.key = "cpu_shares" and x.number != 0 implies x.number >= 2)
    and (x.key = "shm_size" implies x.number >= 0)
}

/** CMP248 cpus-and-quota: Processor time is limited in one way.
 *
 *  @message {s} has `cpus` and {x.key}, which say the same thing in two ways
 *  @at x.value
 *  @help remove one of them
 *  @when always
 *  @openstack the container is not created: "Conflicting options: Nano CPUs and CPU Quota cannot both be set"
 */
fact processor_time_is_limited_once {
  all s: Service, x: s.settings & key.("cpu_quota" + "cpu_period") | x.number > 0 implies no s.settings & key."cpus"
}

/** CMP249 cpuset: Processors are numbers and ranges with commas between them.
 *
 *  @message {s} runs on the processors {x.value}, which Docker cannot read
 *  @at x.value
 *  @help write for example `0-2,4`
 *  @when always
 *  @openstack the container is not created: "Invalid value … for cpuset cpus"
 */
fact processors_are_numbers {
  all s: Service, x: s.settings & key."cpuset" | x.value in "[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*".(text/matches)
}

/** CMP250 ulimit-soft-above-hard: A soft limit is not above the hard one.
 *
 *  @message {s} has a soft limit of {a.option} above the hard one, {b.number}
 *  @at a.value
 *  @also b.value the hard limit
 *  @help make the hard limit at least as large
 *  @when always
 *  @openstack the container does not start: "error setting rlimit"
 */
fact soft_limits_are_below_hard_ones {
  all s: Service, a: s.settings & key."ulimits.soft", b: s.settings & key."ulimits.hard" & option.(a.option) |
    b.number < 0 or (a.number >= 0 and a.number <= b.number)
}

/** CMP251 ulimit-unknown: A limit of processes is one that Linux has.
 *
 *  @message {s} limits {x.option}, which there is not
 *  @at x.value
 *  @help for example `nofile`, `nproc`, `memlock`, `core` or `stack`
 *  @when always
 *  @openstack the container does not start: "wrong rlimit value"
 */
fact limits_are_known {
  all s: Service, x: s.settings & key.("ulimits" + "ulimits.soft") |
    x.option in rlimits.(text/matches)
}

private fun rlimits: set String {
  "(?i)as|core|cpu|data|fsize|locks|memlock|msgqueue|nice|nofile|nproc|rss|rtprio|rttime|sigpending|stack"
}

/** CMP252 stop-signal: The signal that stops a container is one that Linux has.
 *
 *  @message {s} is stopped with {x.value}, which is no signal
 *  @at x.value
 *  @help for example `SIGTERM`, `SIGINT`, `SIGQUIT` or a number
 *  @when always
 *  @openstack the container is not created: "Invalid signal"
 */
fact signals_are_known {
  all s: Service, x: s.settings & key."stop_signal" | x.value in signals.(text/matches)
}

private fun signals: set String {
  "0*[1-9][0-9]*" + "(?i)(SIG)?(ABRT|ALRM|BUS|CHLD|CLD|CONT|FPE|HUP|ILL|INT|IO|IOT|KILL|PIPE|POLL|PROF|PWR)"
    + "(?i)(SIG)?(QUIT|SEGV|STKFLT|STOP|SYS|TERM|TRAP|TSTP|TTIN|TTOU|UNUSED|URG|USR1|USR2|VTALRM|WINCH|XCPU|XFSZ)"
    + "(?i)(SIG)?(RTMIN(\\+([0-9]|1[0-5]))?|RTMAX(-([0-9]|1[0-4]))?)"
}

/** CMP253 restart-condition: The condition of a restart is one that Compose knows.
 *
 *  @message {s} is started again on the condition {x.value}, which there is not
 *  @at x.value
 *  @help write `none`, `on-failure` or `any`
 *  @when always
 *  @openstack the container is not created: "invalid restart policy"
 */
fact conditions_of_restarts_are_known {
  all s: Service, x: s.settings & key."deploy.restart_policy.condition" |
    x.value in "none" + "no" + "on-failure" + "unless-stopped" + "any" + "always"
}

/** CMP254 security-option: An option of security is one that Docker knows.
 *
 *  @message {s} has the option of security {x.value}, which Docker does not know
 *  @at x.value
 *  @help for example `no-new-privileges:true`, `seccomp:unconfined` or `apparmor:…`
 *  @when always
 *  @openstack the container is not created: "invalid --security-opt"
 */
fact options_of_security_are_known {
  all s: Service, x: s.settings & key."security_opt" |
    x.value in security_options.(text/matches)
}

private fun security_options: set String {
  "(no-?new-?privileges|disable|writable-cgroups)([:=](true|false))?"
    + "(?s)(label|apparmor|seccomp|systempaths|credentialspec|unmask|mask|proc-opts)[:=].*"
}

/** CMP255 hardware-address: A hardware address has six pairs of digits.
 *
 *  @message {s} has the hardware address {x.value}, which is none
 *  @at x.value
 *  @help write for example `02:42:ac:11:00:02`
 *  @when always
 *  @openstack the container is not created: "invalid MAC address"
 */
fact hardware_addresses_are_complete {
  all s: Service, x: s.settings & key."mac_address" |
    x.value in ("(?i)[0-9a-f]{2}([:-][0-9a-f]{2}){5}" + "(?i)[0-9a-f]{4}(\\.[0-9a-f]{4}){2}").(text/matches)
}

/** CMP257 container-name-malformed: A container name has at least two letters, digits, dots, hyphens and underscores.
 *
 *  It begins with a letter or a digit.
 *
 *  @message {s} has the container name {x.value}, which Docker does not allow
 *  @at x.value
 *  @help write letters, digits, dots, hyphens and underscores
 *  @when always
 *  @openstack the container is not created: "Invalid container name"
 */
fact container_names_are_allowed {
  all s: Service, x: s.settings & key."container_name" | x.value in "/?[a-zA-Z0-9][a-zA-Z0-9_.-]+".(text/matches)
}

/** CMP258 container-name-of-another: A container name is not the one that Compose gives another service's container.
 *
 *  @message {s} has the container name {s.container_name}, which is that of a container of {t}
 *  @at s.container_name
 *  @also t.name {t}
 *  @help choose another name
 *  @when always
 *  @openstack the second container is not created: "name is already in use"
 */
fact container_names_are_free {
  all s: Service, t: (Service <: containers).(s.container_name) - s | no t
}

/** CMP259 image-reference: The name of an image is one that Docker can read.
 *
 *  Names are written in small letters; a tag follows one colon.
 *
 *  @message {s} has the image {x.value}, which Docker cannot read
 *  @at x.value
 *  @help write `[REGISTRY/]NAME[:TAG][@DIGEST]`, the name in small letters
 *  @when always
 *  @openstack Compose stops: "invalid reference format"
 */
fact images_are_read { all s: Service, x: s.settings & key."image" | x.value in image_reference.(text/matches) }

/** CMP218 processors-too-little: A limit of processors is at least a hundredth of one.
 *
 *  @message {s} may use {l.cpus} billionths of a processor, and Docker needs 10000000
 *  @at l.cpus
 *  @help give it at least `0.01`
 *  @when always
 *  @openstack the container is not created: "Range of CPUs is from 0.01"
 */
fact processors_suffice { all s: Service, l: s.limits | some l.cpus and l.cpus != 0 implies l.cpus >= 10000000 }

/** CMP239 memory-reservation-too-small: A service reserves at least 6 MB of memory, if any.
 *
 *  @message {s} reserves {r.memory} bytes of memory, and Docker needs 6291456
 *  @at r.memory
 *  @help reserve more, with a unit: `64m`
 *  @when always
 *  @openstack the container is not created: "Minimum memory reservation allowed is 6MB"
 */
fact reservations_of_memory_suffice {
  all s: Service, r: s.reservations | some r.memory and r.memory != 0 implies r.memory >= 6291456
}
