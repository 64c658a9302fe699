module compose/core

-- What all rules about Compose files are written over: section 6.2 of the report, for the Compose Specification of today.
--
-- A composition is a location graph. Services, networks, volumes, secrets and configs are locations; that a service uses
-- one of them is a role with attributes of its own: addresses and aliases in a network, the target of a mount, and so on.
-- What depends on the machine, such as whether an image has a health check, is not in the file and so in no field.

/** A place of the graph. */
abstract sig Location {
  /** Its name in the file. */
  name: one String,
  /** What the file sets of it and a rule judges by itself. */
  settings: set Setting
}

/** A setting that rules judge by itself. Settings that variables give are not here. */
sig Setting {
  /** The keys that lead to it, with dots between them and without those that the file chooses. */
  key: one String,
  /** The key that the file chooses, such as the name of an option. */
  option: lone String,
  value: lone String,
  /** The value, if it is a whole number. */
  number: lone Int
}

/** A service, whether an active profile has it or not. */
abstract sig AnyService extends Location {
  /** The profiles that it belongs to; with none it is always there. */
  profiles: set String,
  /** What must be there before it. */
  depends_on: set Dependency,
  ports: set Port,
  container_name: lone String,
  /** The names that its containers have unless the file says others. */
  containers: set String
}

/** A service that is started. */
sig Service extends AnyService {
  networks: set NetworkRole,
  volumes: set Mount,
  secrets: set SecretRole,
  configs: set ConfigRole,
  /** Ports at which it listens, as far as the file says: all of them that something else in the file can mean. */
  listens: set Int,
  image: lone String,
  /** The name of the image without registry, tag and digest. */
  runs: lone String,
  hostname: lone String,
  restart: lone String,
  network_mode: lone String,
  /** The service whose network it shares. */
  shares_network: lone Service,
  /** The networks that it is in: its own, or those of the service whose network it shares. */
  reaches: set Network,
  /** How many containers it has. */
  replicas: one Int,
  healthcheck: lone Healthcheck,
  build: lone Build,
  limits: lone Resources,
  reservations: lone Resources,
  /** What its environment and its command say of hosts. */
  mentions: set Mention,
  /** Names that it gives an address itself, by `extra_hosts` or `links`. */
  own_names: set String,
  /** The words that are run: the entrypoint, if the file gives one, and the command. */
  words: set Word,
  /** Whether it has a `build`. */
  built: lone true,
  /** Whether the file gives the entrypoint, itself or in the Dockerfile. */
  entrypoint: lone true,
  /** Settings with a problem of their own, each by the name of the problem. */
  flags: set Flag
}

/** A service that no active profile has. */
sig Inactive extends AnyService {}

sig Network extends Location {
  driver: lone String,
  pools: set Pool,
  /** Whether it exists already. */
  external: lone true,
  /** Whether nothing outside of Docker is reached from it. */
  internal: lone true
}

/** A range of addresses of a network. */
sig Pool {
  of: one Network,
  subnet: lone String,
  gateway: lone String,
  ip_range: lone String,
  /** Addresses that are taken. */
  reserved: set String
}

sig Volume extends Location {
  external: lone true,
  /** The folder of the host that it stands for. */
  device: lone File
}

/** What a secret or a config is made of. */
abstract sig FileObject extends Location {
  file: lone File,
  external: lone true,
  /** The variable that holds it, if that has no value. */
  unset: lone String
}
sig Secret, Config extends FileObject {}

/** A file or folder that the composition needs. */
sig File {
  path: one String,
  /** Whether it is there; nothing where that is not known. */
  found: lone Boolean,
  /** Whether a folder is there, and no file; nothing where that is not known. */
  is_folder: lone Boolean
}

/** That a service is in a network. */
sig NetworkRole {
  of: one Service,
  network: one Network,
  aliases: set String,
  address: set String
}

/** That a service has something mounted. */
sig Mount {
  kind: one String,
  /** The volume, if it is one that the file names. */
  volume: lone Volume,
  /** The path on the host, if it is one. */
  source: lone File,
  target: lone String,
  /** Whether Docker makes a folder where the path on the host is not there. */
  created: lone true,
  /** Whether that looks like a folder for the data of the service, which Docker may well make. */
  data: lone true,
  consistency: lone String,
  /** What the file gives as the source. */
  named: lone String,
  /** The options of the short form. */
  options: set String,
  propagation: lone String
}

/** That a service has a secret or a config as a file. */
abstract sig FileRole {
  target: lone String,
  uid, gid: lone String,
  mode: lone String
}
sig SecretRole extends FileRole { secret: one Secret }
sig ConfigRole extends FileRole { config: one Config }

/** A port that is published on the host, or a range of them that is written as one. */
sig Port {
  of: one AnyService,
  /** The port of the container, the first of a range. */
  target: one Int,
  /** Ports of the container: all of them that something else in the file can mean. */
  opens: set Int,
  /** The port on the host, if the file says which one; the first of a range. */
  published: lone Int,
  /** Ports of the host: all of them that something else in the file can mean. Two ranges have a port in common exactly if these do. */
  takes: set Int,
  /** How many ports of the host Docker may choose from, if the file gives a range. */
  choices: lone Int,
  /** The address on the host; none stands for all. */
  host: lone String,
  protocol: one String,
  /** The file that says so. */
  written: one String
}

/** That a service needs another one. */
sig Dependency {
  on: one AnyService,
  condition: one String,
  required: one Boolean
}

sig Healthcheck {
  disabled: lone true,
  interval, timeout: lone Int
}

sig Build {
  context: lone File,
  dockerfile: lone File,
  /** The stage that it asks for. */
  target: lone String,
  /** What the Dockerfile says, if that could be read. */
  lines: set Step,
  stages: set Stage
}

/** A part of a Dockerfile from one `FROM` to the next. */
sig Stage {
  /** Its name in small letters. */
  title: lone String,
  /** The image that it begins with. */
  base: lone String,
  /** Whether a variable without a value leaves no image to begin with. */
  blank: lone true,
  /** The stages that it begins with, or copies from. */
  needs: set Stage,
  /** Whether it is the one that is built. */
  wanted: lone true
}

/** An instruction of a Dockerfile. */
sig Step {
  /** What it is, in capitals. */
  word: one String,
  /** The stage that it is in; none before the first `FROM`. */
  stage: lone Stage,
  /** A path of the build context that it copies and that is not there. */
  missing: lone String,
  /** A path of the build context that it copies and that `.dockerignore` leaves out. */
  ignored: lone String,
  /** The number of a stage that it copies from and that does not come before it. */
  from: lone Int
}

/** One of the words that a service runs. */
sig Word {
  text: one String,
  /** How many come before it. */
  position: one Int
}

/** Processor time in billionths of a processor, memory in bytes. */
sig Resources {
  cpus: lone Int,
  memory: lone Int
}

/** A host that is named in the environment or the command of a service. */
sig Mention {
  host: one String,
  /** The port, if one is named with it. */
  port: lone Int,
  /** The service with that name, if there is one. */
  means: lone AnyService,
  /** The networks in which it is an alias of some service. */
  alias_in: set Network,
  /** The service with nearly that name, if nothing that the file knows has the name itself. */
  near: lone AnyService,
  /** Whether it is the machine itself. */
  loopback: lone true,
  /** Whether it stands in a URL of a protocol of the network. */
  url: lone true,
  /** Whether something in the file has that name other than as an alias: a service or a container. */
  known: lone true
}

/** A setting with a problem, and what it is about. */
sig Flag {
  problem: one String,
  about: lone String
}

/** True or false. */
abstract sig Boolean {}
one sig true, false extends Boolean {}

/** Services that share no network with others: their own host's, nobody's, or another container's. */
fun outside: set Service { { s: Service | some s.network_mode and no s.shares_network } }

/** What the name of an image looks like, as a pattern. */
fun image_reference: set String {
  "((localhost|[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?/|[A-Za-z0-9-]+:[0-9]+/)?[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@[a-z0-9+._-]+:[0-9a-fA-F]{32,})?"
}
