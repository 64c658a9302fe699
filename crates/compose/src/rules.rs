//! The rules of the reader: what Compose refuses, and what it only warns of or is silent about.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($(#[$about:meta])* $all:ident; $($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        $(#[$about])*
        pub const $all: &[Rule] = &[$($name),*];
    };
}

rules! {
    /// The rules of the reader.
    RULES;
    NOT_COMPOSE = "CMP001" "not-a-compose-file" Error
        "A Compose file is a mapping with services."
        "Compose refuses a file that is empty, and one whose top is not a mapping.\n\n```yaml\n# wrong\n- web\n# right\nservices:\n  web: { image: nginx:1.27 }\n```";
    UNKNOWN_KEY = "CMP002" "unknown-key" Error
        "A mapping has only the keys that the Compose Specification knows."
        "Compose refuses other keys, so that a mistyped one does not pass unseen. Keys that start with `x-` are yours.\n\n```yaml\n# wrong\nweb: { image: nginx:1.27, depend_on: [db] }\n# right\nweb: { image: nginx:1.27, depends_on: [db] }\n```";
    MISSING_KEY = "CMP003" "missing-key" Error
        "A mapping has the keys that it must have."
        "For example a mount in the long form needs a `type`, and a dependency in the long form a `condition`.\n\n```yaml\n# wrong\nvolumes: [ { source: data, target: /data } ]\n# right\nvolumes: [ { type: volume, source: data, target: /data } ]\n```";
    WRONG_TYPE = "CMP004" "wrong-type" Error
        "A value is of a type that the Compose Specification allows there."
        "Compose checks each file against its schema after the variables have their values.\n\n```yaml\n# wrong\nweb: { image: nginx:1.27, ports: \"80:80\" }\n# right\nweb: { image: nginx:1.27, ports: [\"80:80\"] }\n```";
    NOT_ALLOWED = "CMP005" "value-not-allowed" Error
        "A value is one of those that the Compose Specification allows there."
        "Some keys take one of a few words, or a number within bounds.\n\n```yaml\n# wrong\ndepends_on: { db: { condition: healthy } }\n# right\ndepends_on: { db: { condition: service_healthy } }\n```";
    REPEATED = "CMP006" "repeated-item" Error
        "A list that stands for a set does not have an item twice."
        "Compose refuses the file.\n\n```yaml\n# wrong\nsecurity_opt: [no-new-privileges, no-new-privileges]\n# right\nsecurity_opt: [no-new-privileges]\n```";
    KEY_TYPE = "CMP007" "key-not-a-string" Error
        "Keys are strings."
        "YAML takes a key such as `8080` or `true` for a number or a truth value, and Compose refuses it.\n\n```yaml\n# wrong\nlabels: { 8080: http }\n# right\nlabels: { \"8080\": http }\n```";
    TEMPLATE = "CMP008" "interpolation-format" Error
        "After `${` stands a variable."
        "`$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:?message}`, `${NAME?message}`, `${NAME:+other}` and `${NAME+other}` are replaced; `$$` is a dollar sign. Compose refuses what starts with `${` and is none of these.\n\n```yaml\n# wrong\ncommand: echo ${HOME%/}\n# right\ncommand: echo $${HOME%/}\n```";
    REQUIRED_VARIABLE = "CMP009" "required-variable" Error
        "A variable that the file requires has a value."
        "`${NAME:?message}` says that the file makes no sense without a value, and Compose stops with the message. Values come from the environment, from `.env` beside the file, or from a file that `--env-file` names.\n\n```console\n$ NAME=value locus check compose.yaml\n```";
    UNSET_VARIABLE = "CMP010" "unset-variable" Warning
        "A variable that is used has a value."
        "Compose puts an empty string in its place and goes on with a warning, so that `image: app:${TAG}` becomes `app:`, and a password becomes empty. Values come from the environment, from `.env` beside the file, or from a file that `--env-file` names. If empty is meant, say so: `${NAME:-}`. A dollar sign that starts no variable is written `$$`.\n\n```yaml\n# wrong, without TAG\nimage: app:${TAG}\n# right\nimage: app:${TAG:-1.0}\n```";
    CAST = "CMP011" "value-of-variable" Error
        "A string where a number or a truth value belongs can be read as one."
        "Variables always give strings. Where the specification wants a number or a truth value, Compose converts them, and stops if it cannot.\n\n```yaml\n# wrong\nprivileged: \"maybe\"\n# right\nprivileged: \"true\"\n```";
    PORT = "CMP012" "malformed-port" Error
        "A port is `[[ADDRESS:]HOST:]CONTAINER[/PROTOCOL]`, each a number or a range."
        "Numbers go to 65535, ranges are of the same length, and the protocol is `tcp`, `udp` or `sctp`. Compose refuses everything else.\n\n```yaml\n# wrong\nports: [\"8000-8001:80-82\"]\n# right\nports: [\"8000-8002:80-82\"]\n```";
    VOLUME = "CMP013" "malformed-volume" Error
        "A volume is `[SOURCE:]TARGET[:OPTIONS]`."
        "Compose refuses a volume with nothing between two colons, or with too many of them.\n\n```yaml\n# wrong\nvolumes: [\"data::/data\"]\n# right\nvolumes: [\"data:/data\"]\n```";
    SHORT_FORM = "CMP014" "malformed-short-form" Error
        "Values in short form can be read."
        "Devices are `HOST[:CONTAINER[:PERMISSIONS]]`, extra hosts `NAME=ADDRESS`, additional contexts `NAME=WHERE`, SSH keys `default` or `ID=PATH`.\n\n```yaml\n# wrong\nextra_hosts: [db]\n# right\nextra_hosts: [\"db=10.0.0.5\"]\n```";
    EXTENDS = "CMP015" "extends" Error
        "`extends` names a service that is there, and no service extends itself."
        "Compose reads the file that `extends` names, and takes the service in it as the base of this one.\n\n```yaml\n# wrong, without a service bas\nweb: { extends: bas }\n# right\nweb: { extends: base }\n```";
    INCLUDE = "CMP016" "include" Error
        "`include` names files that are there, that do not include each other in a circle, and that define nothing else under the same name."
        "The definitions of an included file become part of the project. The same name may come twice only if both say exactly the same.\n\n```yaml\n# wrong, without such a file\ninclude: [db/compose.yml]\n# right\ninclude: [db/compose.yaml]\n```";
    VARIABLES_FILE = "CMP017" "env-file" Error
        "A file of variables is there, and it can be read."
        "This is about `.env`, `--env-file`, `env_file` and `label_file`. An `env_file` that need not be there says `required: false`.\n\n```yaml\n# wrong, without such a file\nenv_file: web.env\n# right\nenv_file: [ { path: web.env, required: false } ]\n```";
    OVERRIDE = "CMP018" "cannot-override" Error
        "A later file replaces a mapping by a mapping and a list by a list."
        "Compose merges files key by key, and refuses what cannot be merged. `!override` replaces a value as a whole, `!reset` removes it.\n\n```yaml\n# wrong, if the first file has a list\nports: { http: 80 }\n# right\nports: !override [\"80:80\"]\n```";
    UNIT = "CMP019" "malformed-quantity" Error
        "Sizes are numbers with a unit such as `512m`, durations numbers with units such as `1m30s`."
        "The units of sizes are `b`, `k`, `m`, `g`, `t` and `p`, also as `kb` or `kib`, all powers of 1024; those of durations are `us`, `ms`, `s`, `m`, `h`, `d` and `w`. A duration without a unit is refused.\n\n```yaml\n# wrong\nhealthcheck: { test: [CMD, \"true\"], interval: \"30\" }\n# right\nhealthcheck: { test: [CMD, \"true\"], interval: 30s }\n```";
    UNDEFINED = "CMP020" "undefined-reference" Error
        "The networks, volumes and services that a service names are defined."
        "Networks, named volumes, secrets, configs and models that a service uses stand at the top of the file; services that it depends on are among the services. Compose refuses the file otherwise. A service that an inactive profile leaves out does not count as defined.\n\n```yaml\n# wrong\nservices: { db: { image: postgres:17, volumes: [\"data:/var/lib/postgresql/data\"] } }\n# right\nservices: { db: { image: postgres:17, volumes: [\"data:/var/lib/postgresql/data\"] } }\nvolumes: { data: }\n```";
    CYCLE = "CMP021" "dependency-cycle" Error
        "No service depends on itself, not even through others."
        "Dependencies are `depends_on`, `links`, `volumes_from`, and `network_mode`, `ipc`, `pid`, `uts` and `cgroup` of another service. In a circle no service can start first, and Compose refuses it.\n\n```yaml\n# wrong\na: { image: i:1, depends_on: [b] }\nb: { image: i:1, links: [a] }\n# right\na: { image: i:1, depends_on: [b] }\nb: { image: i:1 }\n```";
    EXCLUSIVE = "CMP022" "exclusive-keys" Error
        "Keys that exclude each other do not stand together."
        "For example `network_mode` and `networks`, `dockerfile` and `dockerfile_inline`, `external` and a driver of a volume, `file` and `environment` of a secret.\n\n```yaml\n# wrong\nweb: { image: nginx:1.27, network_mode: host, networks: [front] }\n# right\nweb: { image: nginx:1.27, networks: [front] }\n```";
    NO_IMAGE = "CMP023" "no-image" Error
        "A service has an image, is built, or has a provider."
        "Compose does not know what to run otherwise.\n\n```yaml\n# wrong\nweb: { ports: [\"80:80\"] }\n# right\nweb: { image: nginx:1.27, ports: [\"80:80\"] }\n```";
    CONFLICT = "CMP024" "conflicting-values" Error
        "Values that are given twice are the same both times."
        "`scale` and `deploy.replicas`, `mem_limit` and `deploy.resources.limits.memory`, and the like mean the same thing.\n\n```yaml\n# wrong\nscale: 2\ndeploy: { replicas: 3 }\n# right\ndeploy: { replicas: 3 }\n```";
    CONTAINER_NAME = "CMP025" "container-name" Error
        "A container name is given to one container only."
        "Docker refuses a second container with the same name, so a service with `container_name` cannot have replicas, and no two services have the same.\n\n```yaml\n# wrong\nweb: { image: nginx:1.27, container_name: web, scale: 2 }\n# right\nweb: { image: nginx:1.27, scale: 2 }\n```";
    MOUNT_TWICE = "CMP026" "mount-target-twice" Error
        "No two mounts of a service have the same target."
        "One would hide the other; Compose refuses it.\n\n```yaml\n# wrong\ntmpfs: [/data]\nvolumes: [\"data:/data\"]\n# right\nvolumes: [\"data:/data\"]\n```";
    HEALTHCHECK = "CMP027" "healthcheck-test" Error
        "A health check given as a list starts with `CMD`, `CMD-SHELL` or `NONE`."
        "A string is run by a shell; a list says first how it is run.\n\n```yaml\n# wrong\ntest: [curl, -f, http://localhost]\n# right\ntest: [CMD, curl, -f, http://localhost]\n```";
    PROJECT_NAME = "CMP028" "project-name" Error
        "A project has a name of small letters, digits, hyphens and underscores that starts with a letter or a digit."
        "The name is that of `--project-name`, `COMPOSE_PROJECT_NAME`, `name:`, or the folder.\n\n```yaml\n# wrong\nname: My App\n# right\nname: my-app\n```";
    COMMAND = "CMP029" "malformed-command" Error
        "A command given as a string can be split into words."
        "Quotes are closed, and brackets stand only in quotes or after a dollar sign.\n\n```yaml\n# wrong\ncommand: echo 'hello\n# right\ncommand: echo 'hello'\n```";
    VERSION = "CMP030" "version-is-obsolete" Note
        "The key `version` has no effect."
        "Compose reads every file by the current specification and ignores `version`, with a warning.\n\n```yaml\n# wrong\nversion: \"3.8\"\nservices: {}\n# right\nservices: {}\n```";
    TRUTH_WORD = "CMP031" "truth-value-of-yaml-1-1" Warning
        "Truth values are `true` and `false`."
        "`yes`, `on`, `no` and `off` are strings to Compose. Where a truth value belongs it converts them with a warning; elsewhere they stay strings, while tools that read YAML 1.1 see truth values.\n\n```yaml\n# wrong\nread_only: yes\n# right\nread_only: true\n```";
    COMMAND_CUT = "CMP032" "command-is-cut" Warning
        "A command given as a string is not run by a shell."
        "Compose splits the string into words and stops at the first `;`, `&`, `|`, `<` or `>` outside of quotes, without a word: `a && b` runs only `a`.\n\n```yaml\n# wrong\ncommand: migrate && serve\n# right\ncommand: sh -c 'migrate && serve'\n```";
    EXTERNAL_NAME = "CMP033" "external-name-is-deprecated" Note
        "The name of an external resource stands beside `external: true`."
        "`external: { name: … }` is the old form; Compose warns of it.\n\n```yaml\n# wrong\nexternal: { name: shared }\n# right\nexternal: true\nname: shared\n```";
    REMOTE = "CMP034" "remote-file" Note
        "Definitions in files elsewhere are not known."
        "`include` and `extends` may name a Git repository or an OCI artifact, which Locus does not fetch. What it defines is missing from the model, so nothing is said about it.\n\n```yaml\ninclude: [\"oci://docker.io/user/app\"]\n```";
    HIDDEN_ITEM = "CMP234" "target-twice" Warning
        "The secrets, configs and volumes of a service have targets of their own."
        "Of two items of a list with the same target Compose takes the second, and says nothing of the first.\n\n```yaml\n# wrong\nsecrets: [ { source: one, target: key }, { source: two, target: key } ]\n# right\nsecrets: [ { source: one, target: key1 }, { source: two, target: key2 } ]\n```";
    FILE_OF_PROJECT = "CMP035" "file-of-project" Error
        "The files that a project consists of are there."
        "`--file` and `COMPOSE_FILE`, in the environment or in `.env`, list the files of a project. Compose stops if it cannot read one of them.\n\n```console\n# wrong, without such a file\n$ COMPOSE_FILE=compose.yaml:prod.yaml docker compose up\n# right\n$ COMPOSE_FILE=compose.yaml docker compose up\n```";
}

rules! {
    /// The rules about what a Docker engine knows ([`crate::engine`]).
    ENGINE_RULES;
    IMAGE_MISSING = "CMP170" "image-not-on-engine" Error
        "An image that must not be pulled is on the engine."
        "With `pull_policy: never` Compose stops if the image is not there. Only `--engine` knows.\n\n```console\n$ locus check --engine compose.yaml\n```";
    NETWORK_MISSING = "CMP171" "external-network-missing" Error
        "An external network is on the engine."
        "Compose makes no external network, and stops: \"network … declared as external, but could not be found\". Only `--engine` knows.\n\n```console\n$ docker network create shared\n```";
    VOLUME_MISSING = "CMP172" "external-volume-missing" Error
        "An external volume is on the engine."
        "Compose makes no external volume, and stops: \"external volume … not found\". Only `--engine` knows.\n\n```console\n$ docker volume create shared\n```";
    PORT_TAKEN = "CMP173" "port-taken" Error
        "A port of the host is not published by a container of another project."
        "The container is created and cannot start: \"port is already allocated\". Only `--engine` knows, and only of ports that containers have.\n\n```console\n$ docker ps --filter publish=8080\n```";
    CONTAINER_NAME_TAKEN = "CMP174" "container-name-taken" Error
        "A fixed name is not that of a container of another project."
        "Names of containers are unique on an engine, and Docker refuses the second: \"The container name … is already in use\". Only `--engine` knows.\n\n```yaml\n# better: let Compose choose the name\nweb: { image: nginx:1.27 }\n```";
    NOT_EXPOSED = "CMP175" "published-port-not-exposed" Note
        "A published port is one that the image exposes."
        "An image that exposes ports says where its programs listen. Another port may be right if the configuration says so; often it is the port of the host and that of the container mixed up. Only `--engine` knows.\n\n```yaml\n# wrong for an image that exposes 80\nports: [\"80:8080\"]\n# right\nports: [\"8080:80\"]\n```";
}
