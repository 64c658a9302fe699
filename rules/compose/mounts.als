module compose/mounts
open compose/core
open util/text as text

/** CMP220 target-not-absolute: A target of a mount is an absolute path.
 *
 *  @message {s} mounts something at {m.target}, which is not an absolute path
 *  @at m.target
 *  @help begin it with a slash
 *  @when always
 *  @openstack the container is not created: "mount path must be absolute"
 */
fact targets_are_absolute {
  all s: Service, m: s.volumes | no m.target or m.target in (absolute + drive + windows).(text/matches)
}

/** CMP221 path-not-absolute: Working directories and the paths of `tmpfs` are absolute.
 *
 *  @message {s} has {x.key} at {x.value}, which is not an absolute path
 *  @at x.value
 *  @help begin it with a slash
 *  @when always
 *  @openstack the container is not created: "it needs to be an absolute path"
 */
fact paths_are_absolute {
  all s: Service, x: s.settings & key.("tmpfs" + "working_dir") | x.value in (absolute + windows).(text/matches)
}

private fun absolute: set String { "(?s)/.*" }

/** A drive in small letters, with a slash: the volume `d` is meant. */
private fun drive: set String { "(?s)[a-z]:/.*" }

/** A path of Windows. */
private fun windows: set String { "(?s)[A-Za-z]:\\\\.*|[A-Z]:/.*|\\\\\\\\.*|%.*" }

/** CMP222 mount-over-root: Nothing is mounted over the whole container.
 *
 *  @message {s} mounts something at `/`
 *  @at m.target
 *  @help choose a folder below it
 *  @when always
 *  @openstack the container is not created: "destination can't be '/'"
 */
fact nothing_is_mounted_over_the_root { all s: Service, m: s.volumes | m.target != "/" }

/** CMP223 volume-of-one-letter: The name of a volume in the short form has more than one letter.
 *
 *  Compose takes one letter before a colon for a drive of Windows, so `d:/data` is a path and not the volume `d`.
 *
 *  @message {s} mounts {m.target}, which Compose takes for a path on a drive of Windows
 *  @at m.target
 *  @help give the volume a longer name, or write `{ type: volume, source: …, target: … }`
 *  @when always
 *  @openstack the container is not created: "mount path must be absolute"
 */
fact volumes_are_no_drives {
  all s: Service, m: s.volumes | m.target not in drive.(text/matches)
}

/** CMP224 tmpfs-with-source: A mount in memory has no source.
 *
 *  @message {s} gives the mount in memory at {m.target} the source {m.named}
 *  @at m.named
 *  @help remove `source`, or write `type: volume`
 *  @when always
 *  @openstack the container is not created: "field Source must not be specified"
 */
fact mounts_in_memory_have_no_source { all s: Service, m: s.volumes & kind."tmpfs" | no m.named }

/** CMP225 tmpfs-option: The options of `tmpfs` are those of Linux.
 *
 *  @message {s} gives a mount in memory options that there are not: {x.value}
 *  @at x.value
 *  @help correct them, for example `/run:size=64m,mode=1777`
 *  @when always
 *  @openstack the container is not created: "invalid tmpfs option"
 */
fact options_of_tmpfs_are_known {
  all s: Service, x: s.settings & key."tmpfs" | x.value in tmpfs_options.(text/matches)
}

private fun tmpfs_options: set String {
  "(?s)[^:]*(:(((mode|size|uid|gid|nr_inodes|nr_blocks|mpol)=[^,]*|(no)?[a-z]+time|(no)?(suid|dev|exec|mand)|r[ow]|r?[a-z]{4,})(,|$))*)?"
}

/** CMP226 propagation: The propagation of a bind mount is one of Linux's.
 *
 *  @message {s} has the propagation {m.propagation}, which there is not
 *  @at m.propagation
 *  @help write `rprivate`, `private`, `rshared`, `shared`, `rslave` or `slave`
 *  @when always
 *  @openstack the container is not created: "invalid propagation mode"
 */
fact propagations_are_known {
  all s: Service, m: s.volumes | no m.propagation or m.propagation in "r?(private|shared|slave)".(text/matches)
}

/** CMP227 option-of-mount-ignored: An option of a mount is one that Compose knows.
 *
 *  Compose ignores others without a word, so that `:readonly` and `:RO` can be written to.
 *
 *  @severity warning
 *  @message {s} gives a mount the option {o}, which Compose ignores
 *  @at m.options
 *  @help write `ro` for what is only read, or remove it
 *  @when end
 *  @openstack the container can write to it
 */
fact options_of_mounts_are_known {
  all s: Service, m: s.volumes, o: m.options | o in known_options.(text/matches)
}

private fun known_options: set String {
  "ro|rw|z|Z|nocopy|volume-nocopy|cached|delegated|consistent|default|r?(private|shared|slave)|r?bind|"
}

/** CMP228 device-missing: The folder that a volume stands for is there.
 *
 *  A volume of the driver `local` with the option `bind` is a folder of the host, and Docker does not create it. A path that does not
 *  begin with a slash is looked for in a folder of Docker; Compose completes it only if the file says `driver: local` and `o: bind`.
 *
 *  @message the volume {v} stands for {v.device.path}, which is not there
 *  @at v.device.path
 *  @help create it, write an absolute path, or add `driver: local`
 *  @when always
 *  @openstack the container is not created: "failed to mount local volume … no such file or directory"
 */
fact devices_are_there {
  all v: used & device.File | v.device.found != false and v.device.path not in "(?s)\\.\\.?/.*".(text/matches)
}

private fun used: set Volume { Service.volumes.volume - (Volume <: external).true }

/** CMP229 volume-option: The options of a volume of the driver `local` are `type`, `o` and `device`.
 *
 *  @message the volume {v} has the option {x.option}, which the driver `local` does not know
 *  @at x.value
 *  @help the options are `type`, `o`, `device` and `size`
 *  @when always
 *  @openstack the volume is not created: "invalid option"
 */
fact options_of_volumes_are_known {
  all v: used & local, x: v.settings & key."driver_opts" | x.option in "type" + "o" + "device" + "size"
}

/** CMP230 volume-option-missing: A volume of the driver `local` with options has a `type` and a `device`.
 *
 *  @message the volume {v} has {x.option}, and not both `type` and `device`
 *  @at x.value
 *  @help give it `type` and `device`; for a folder of the host the type is `none`
 *  @when always
 *  @openstack the volume is not created: "missing required option"
 */
fact options_of_volumes_are_complete {
  all v: used & local, x: v.settings & key."driver_opts" & option.("type" + "o" + "device") |
    "type" + "device" in (v.settings & key."driver_opts").option or with_variables[v]
}

/** Some of its options are given by variables, which are no settings; a device that is one is still a file. */
private pred with_variables [v: Volume] { some v.device and "type" in (v.settings & key."driver_opts").option }

private fun local: set Volume { { v: Volume | (v.settings & key."driver").value in "local" } }

/** CMP231 volume-driver: The driver of a volume is there.
 *
 *  Docker has `local`; all others are plugins that must be installed.
 *
 *  @severity warning
 *  @message the volume {v} has the driver {x.value}, which is not one of Docker's own
 *  @at x.value
 *  @help write `local`, or install the plugin
 *  @when end
 *  @openstack the volume is not created: "plugin not found"
 */
fact drivers_of_volumes_are_there {
  all v: used, x: v.settings & key."driver" | x.value in ("local" + plugins).(text/matches)
}

/** Plugins that people use. */
private fun plugins: set String {
  "(?s).*[/:].*" + "rclone|nfs|cifs|sshfs|netshare|rexray.*|convoy|flocker|pxd|portworx|glusterfs|ceph.*|cloudstor.*"
}

/** CMP232 folder-on-file: A folder is not mounted where a file is.
 *
 *  The name of the target looks like that of a file. If the image has a file there, Docker refuses to mount a folder on it.
 *
 *  @severity warning
 *  @message {s} mounts the folder {m.source.path} at {m.target}, which looks like a file
 *  @at m.source.path
 *  @also m.target the target
 *  @help mount a file, or name a folder as the target
 *  @when end
 *  @openstack the container does not start if the image has a file there: "not a directory"
 */
fact folders_are_not_mounted_on_files {
  all s: Service, m: s.volumes |
    m.source.is_folder = true implies m.target not in files.(text/matches) or m.source.path in files.(text/matches)
}

private fun files: set String {
  "(?s).*[^/]\\.(conf|cnf|cfg|ini|ya?ml|json|toml|xml|properties|env|tpl|template|htpasswd|crt|pem|key)/?"
    + "(?s).*[^/]\\.(sh|sql|txt|py|js|php|html|lua)/?"
}

/** CMP233 file-on-folder: A file is not mounted where a folder is.
 *
 *  The target ends like a folder. If the image has a folder there, Docker refuses to mount a file on it.
 *
 *  @severity warning
 *  @message {s} mounts the file {m.source.path} at {m.target}, which looks like a folder
 *  @at m.source.path
 *  @also m.target the target
 *  @help add the name of the file to the target
 *  @when end
 *  @openstack the container does not start if the image has a folder there: "not a directory"
 */
fact files_are_not_mounted_on_folders {
  all s: Service, m: s.volumes |
    m.source.is_folder = false implies m.target not in folders.(text/matches) or m.source.path in folders.(text/matches)
}

private fun folders: set String {
  "(?s).*/[^/]+\\.d/?" + "/(etc|var|opt|usr|home|srv|tmp|run|root)(/(lib|log|local|bin|share|nginx|ssl|www))?"
}

/** CMP235 secret-without-value: The variable that a secret or a config is made of has a value.
 *
 *  @severity warning
 *  @message {o} is made of the variable {o.unset}, which has no value
 *  @at o.unset
 *  @help set it in the environment or in `.env`
 *  @when end
 *  @openstack Compose stops: "environment variable … is not set"
 */
fact variables_of_secrets_are_set {
  all o: Service.secrets.secret + Service.configs.config | no o.unset
}

/** CMP236 secret-of-swarm: A secret or a config that exists already is for Swarm alone.
 *
 *  Compose has no place where such a thing could be, and stops. A file that is evidently for `docker stack deploy` may have it.
 *
 *  @message {o} is external, which Compose does not support
 *  @at o.external
 *  @help write `file` or `environment`; in a file for `docker stack deploy` ignore this rule
 *  @when always
 *  @openstack Compose stops: "unsupported external secret"
 */
fact secrets_are_given {
  some Service.flags & problem."swarm" or "overlay" in Network.driver
    or all o: Service.secrets.secret + Service.configs.config | no o.external
}

/** CMP237 volume-name: The name of a volume has letters, digits, dots, hyphens and underscores.
 *
 *  It has at least two of them, and begins with a letter or a digit.
 *
 *  @message the volume {v} is called {x.value}, which Docker does not allow
 *  @at x.value
 *  @help write letters, digits, dots, hyphens and underscores
 *  @when always
 *  @openstack the volume is not created: "includes invalid characters for a local volume name"
 */
fact names_of_volumes_are_allowed {
  all v: used & local, x: v.settings & key."name" | x.value in "[a-zA-Z0-9][a-zA-Z0-9_.-]+".(text/matches)
}

/** CMP238 volume-option-of-path: A path of the host that is mounted has no options of volumes.
 *
 *  @message {s} mounts a path of the host at {m.target} with `nocopy`, which is an option of volumes
 *  @at m.target
 *  @help remove it
 *  @when always
 *  @openstack the container is not created: "field VolumeOptions must not be specified"
 */
fact paths_have_no_options_of_volumes {
  all s: Service, m: s.volumes & kind."bind" | no m.options & ("nocopy" + "volume-nocopy")
}
