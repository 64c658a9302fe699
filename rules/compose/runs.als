module compose/runs
open compose/core
open util/text as text

/** CMP281 quotes-in-value: Quotes around a value in a list are not part of it.
 *
 *  In a list, `NAME="value"` is one text, and YAML leaves the quotes in it.
 *
 *  @severity warning
 *  @message {s} gets {f.about}, with the quotes
 *  @at f.about
 *  @help put the whole item in quotes, or none of it
 *  @when end
 *  @openstack the container gets the value with quotes
 */
fact quotes_are_not_part_of_values { all s: Service, f: s.flags | f.problem != "quoted" }

/** CMP282 operator-without-shell: A list that has signs of a shell is run by one.
 *
 *  Without a shell, `&&`, `|` and `>` are given to the program as words.
 *
 *  @severity warning
 *  @message {s} gives its program the word {w.text}, which only a shell understands
 *  @at w.text
 *  @help write `[sh, -c, "…"]` with all in one text
 *  @when end
 *  @openstack the program gets it as an argument
 */
fact operators_are_read_by_a_shell {
  all s: Service, w: s.words & text.operators | some s.words & shells
}

private fun operators: set String { "&&" + "||" + "|" + ">" + ">>" + "<" + "2>&1" + "&" }

private fun shells: set Word { text.("(.*/)?(ba|da|z|k|a|c|tc|fi|mk)?sh".(text/matches)) }

/** CMP283 builtin-without-shell: The first word is a program.
 *
 *  `cd`, `source` and assignments are for a shell, and there is none unless the image brings one.
 *
 *  @severity warning
 *  @message {s} begins with {w.text}, which is no program
 *  @at w.text
 *  @help use `working_dir`, `environment`, or `[sh, -c, "…"]`
 *  @when end
 *  @openstack the container does not start: "executable file not found in $PATH"
 */
fact programs_are_run {
  all s: Service, w: s.words & position.0 |
    some s.entrypoint or w.text not in "(?s)cd|source|pushd|umask|ulimit|[A-Za-z_][A-Za-z0-9_]*=.*".(text/matches)
}

/** CMP284 command-in-one-word: A command that is a list has its words as items.
 *
 *  The only item, or the first, is the name of the program, blanks and all.
 *
 *  @severity warning
 *  @message {s} runs {w.text}, which is taken for the name of one program
 *  @at w.text
 *  @help make each word an item, or write `[sh, -c, "…"]`
 *  @when end
 *  @openstack the container does not start: "executable file not found in $PATH", unless the image brings a shell
 */
fact words_are_items {
  all s: Service, w: s.words & position.0 |
    some s.entrypoint or w.text not in whole_commands.(text/matches)
}

private fun whole_commands: set String {
  "(?s)[^- ]\\S*( \\S+)* (&&|\\|\\|?|>>?|<) .*"
    + "(?s)(npm|npx|yarn|pnpm|node|python3?|java|php|ruby|bundle|bash|sh|flask|gunicorn|uvicorn|celery|go|dotnet) .*"
    + "(?s)\\./\\S+ .*"
}

/** CMP285 variable-without-shell: A variable in a command is replaced by a shell.
 *
 *  Compose makes `$` of `$$`, and without a shell the program gets the name of the variable.
 *
 *  @severity warning
 *  @message {s} gives its program the word {w.text}, whose variable only a shell replaces
 *  @at w.text
 *  @help write `[sh, -c, "…"]`, or one `$` if Compose is to replace it
 *  @when end
 *  @openstack the program gets the name of the variable
 */
fact variables_are_replaced_by_a_shell {
  all s: Service, w: s.words & text.("(?s).*\\$(\\{[A-Z_][A-Z0-9_]*\\}|[A-Z_][A-Z0-9_]{2,}).*".(text/matches)) |
    some s.words & (shells + replacing)
}

/** Programs that replace variables by themselves, or have some of their own. */
private fun replacing: set Word {
  text.("(?s)(.*/)?(awk|gawk|perl|php|envsubst|node|python3?|ruby|find|java|s6.*|supervisord)( .*)?".(text/matches))
}

/** CMP286 words-after-script: What a shell is to do is one word.
 *
 *  `sh -c` runs the word that follows. Further ones are its parameters: `[sh, -c, echo, hello]` prints an empty line.
 *
 *  @severity warning
 *  @message {s} has a shell run {w.text} alone, without the words that follow
 *  @at w.text
 *  @help put the whole command into one word
 *  @when end
 *  @openstack the shell runs the first word
 */
fact scripts_are_one_word {
  all s: Service, w: s.words & text.("[^\\s$;]+".(text/matches)), c: s.words & text.("-[a-z]*c".(text/matches)),
      h: s.words & shells |
    h.position = minus[c.position, 1] and c.position = minus[w.position, 1]
      implies no v: s.words | v.position = plus[w.position, 1]
}

/** CMP287 host-unknown: A host in a URL is a service, a container or an alias.
 *
 *  The name has no dot, so it is one of the project's networks, and nothing in the file has it. A network that exists already may
 *  have others.
 *
 *  @severity warning
 *  @message {s} looks for the host {m.host}, and nothing in its networks is called so
 *  @at m.host
 *  @help write the name of a service, or give it the alias
 *  @when end
 *  @openstack the name is not found when the service runs
 */
fact hosts_are_known {
  all s: Service - outside, m: s.mentions & url.true |
    some m.known or some m.loopback or some m.near or some m.means or m.host in s.own_names or m.host = s.hostname
      or no s.reaches or some s.reaches & (m.alias_in + (Network <: external).true)
      or m.host not in "[a-z][a-z0-9_-]+".(text/matches)
}

/** CMP288 localhost-of-image: `localhost` is the service itself, also where only the image says who listens.
 *
 *  The port is the one at which the image of another service listens as a rule. Ports of the host are not reached by `localhost`
 *  either.
 *
 *  @severity warning
 *  @message {s} looks for port {m.port} in its own container, and it is the image of {t} that listens there
 *  @at m.port
 *  @also t.image the image
 *  @help write `{t}` instead
 *  @when end
 *  @openstack the connection is refused when the service runs
 */
fact localhost_is_not_another_image {
  all s: Service - outside, m: s.mentions & loopback.true,
      t: runs.(usual.(m.port)) & Service - s - shares_network.s - s.shares_network - outside |
    m.port in s.listens + s.runs.usual + t.listens
}

/** The ports at which the images that people use most listen, but for those that any web server has. */
private fun usual: String->Int {
  ("postgres" + "postgis" + "timescaledb" + "pgvector" + "postgresql")->5432
    + ("mysql" + "mariadb" + "percona")->3306
    + ("redis" + "valkey" + "keydb" + "redis-stack" + "redis-stack-server")->6379
    + ("mongo" + "mongodb" + "mongodb-community-server")->27017
    + "rabbitmq"->(5672 + 15672)
    + "memcached"->11211
    + ("elasticsearch" + "opensearch")->(9200 + 9300)
    + "kibana"->5601
    + "logstash"->5044
    + ("cassandra" + "scylla")->9042
    + ("cp-kafka" + "kafka")->9092
    + ("zookeeper" + "cp-zookeeper")->2181
    + "cp-schema-registry"->8081
    + "nats"->(4222 + 8222)
    + ("eclipse-mosquitto" + "mosquitto")->1883
    + "influxdb"->8086
    + "clickhouse-server"->(8123 + 9000)
    + "neo4j"->(7474 + 7687)
    + "etcd"->2379
    + "consul"->8500
    + "vault"->8200
    + "couchdb"->5984
    + "arangodb"->8529
    + "solr"->8983
    + "meilisearch"->7700
    + "typesense"->8108
    + "qdrant"->6333
    + "weaviate"->8080
    + "mailhog"->(1025 + 8025)
    + "mailpit"->(1025 + 8025)
    + "openldap"->389
    + "prometheus"->9090
    + "loki"->3100
    + "jaeger"->16686
    + "minio"->9000
    + "localstack"->4566
    + ("ollama")->11434
}
