//! The mistakes that the checks are for, one by one and in their variants: each in a file in which it is found, and in
//! one that comes close and in which it is not.

mod common;

use common::findings;

/// A mistake in words, its code, a file with it, and one without.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const PORTS: &[Mistake] = &[
    (
        "one port of the host in two services",
        "CMP100",
        "services: { a: { image: 'i:1', ports: ['8080:80'] }, b: { image: 'i:1', ports: ['8080:81'] } }",
        "services: { a: { image: 'i:1', ports: ['8080:80'] }, b: { image: 'i:1', ports: ['8081:80'] } }",
    ),
    (
        "one port in a range",
        "CMP100",
        "services: { a: { image: 'i:1', ports: ['8000-8002:80-82'] }, b: { image: 'i:1', ports: ['8001:80'] } }",
        "services: { a: { image: 'i:1', ports: ['8000-8002:80-82'] }, b: { image: 'i:1', ports: ['8003:80'] } }",
    ),
    (
        "one port at all addresses and at one of them",
        "CMP100",
        "services: { a: { image: 'i:1', ports: ['127.0.0.1:80:80'] }, b: { image: 'i:1', ports: ['0.0.0.0:80:80'] } }",
        "services: { a: { image: 'i:1', ports: ['127.0.0.1:80:80'] }, b: { image: 'i:1', ports: ['127.0.0.2:80:80'] } }",
    ),
    (
        "one port of one protocol",
        "CMP100",
        "services: { a: { image: 'i:1', ports: ['53:53/udp'] }, b: { image: 'i:1', ports: ['53:53/udp'] } }",
        "services: { a: { image: 'i:1', ports: ['53:53/udp'] }, b: { image: 'i:1', ports: ['53:53/tcp'] } }",
    ),
    (
        "one port of IPv6",
        "CMP100",
        "services: { a: { image: 'i:1', ports: ['[::1]:80:80'] }, b: { image: 'i:1', ports: ['[::]:80:80'] } }",
        "services: { a: { image: 'i:1', ports: ['[::1]:80:80'] }, b: { image: 'i:1', ports: ['0.0.0.0:80:80'] } }",
    ),
    (
        "one port of replicas",
        "CMP101",
        "services: { a: { image: 'i:1', ports: ['80:80'], deploy: { replicas: 2 } } }",
        "services: { a: { image: 'i:1', ports: ['80'], deploy: { replicas: 2 } } }",
    ),
    (
        "a range that is too small for the replicas",
        "CMP105",
        "services: { a: { image: 'i:1', ports: ['8000-8001:80'], scale: 3 } }",
        "services: { a: { image: 'i:1', ports: ['8000-8002:80'], scale: 3 } }",
    ),
    (
        "a port where a service with the network of the host listens",
        "CMP104",
        "services: { a: { image: 'i:1', network_mode: host, expose: ['80'] }, b: { image: 'i:1', ports: ['80:81'] } }",
        "services: { a: { image: 'i:1', network_mode: host, expose: ['80'] }, b: { image: 'i:1', ports: ['81:80'] } }",
    ),
    (
        "ports without a network",
        "CMP102",
        "services: { a: { image: 'i:1', network_mode: host, ports: ['80:80'] } }",
        "services: { a: { image: 'i:1', network_mode: bridge, ports: ['80:80'] } }",
    ),
    (
        "one port with a profile and without",
        "CMP106",
        "services: { a: { image: 'i:1', ports: ['80:80'] }, b: { image: 'i:1', profiles: [p], ports: ['80:80'] } }",
        "services: { a: { image: 'i:1', ports: ['80:80'] }, b: { image: 'i:1', profiles: [p], ports: ['80:80/udp'] } }",
    ),
    (
        "one port in one profile",
        "CMP106",
        "services: { a: { image: 'i:1', profiles: [p, q], ports: ['80:80'] }, b: { image: 'i:1', profiles: [p], ports: ['80:80'] } }",
        "services: { a: { image: 'i:1', profiles: [q], ports: ['80:80'] }, b: { image: 'i:1', profiles: [p], ports: ['80:80'] } }",
    ),
];

const NAMES: &[Mistake] = &[
    (
        "a host in the environment, without a common network",
        "CMP130",
        "services: { a: { image: 'i:1', networks: [n], environment: { DB_HOST: db } }, db: { image: 'i:1', networks: [m] } }\nnetworks: { n: , m: }",
        "services: { a: { image: 'i:1', networks: [n, m], environment: { DB_HOST: db } }, db: { image: 'i:1', networks: [m] } }\nnetworks: { n: , m: }",
    ),
    (
        "a host in a command, without a common network",
        "CMP130",
        "services: { a: { image: 'i:1', networks: [n], command: [wait, 'db:5432'] }, db: { image: 'i:1' } }\nnetworks: { n: }",
        "services: { a: { image: 'i:1', networks: [n, default], command: [wait, 'db:5432'] }, db: { image: 'i:1' } }\nnetworks: { n: }",
    ),
    (
        "a host in a URL, without a common network",
        "CMP130",
        "services: { a: { image: 'i:1', networks: [n], environment: ['URL=pg://u:p@db:5432/x'] }, db: { image: 'i:1' } }\nnetworks: { n: }",
        "services: { a: { image: 'i:1', networks: [n], environment: ['URL=pg://u:p@db.example.org:5432/x'] }, db: { image: 'i:1' } }\nnetworks: { n: }",
    ),
    (
        "a dependency without a common network",
        "CMP136",
        "services: { a: { image: 'i:1', networks: [n], depends_on: [db] }, db: { image: 'i:1' } }\nnetworks: { n: }",
        "services: { a: { image: 'i:1', networks: [n], volumes: ['data:/d'], depends_on: [db] }, db: { image: 'i:1', volumes: ['data:/d'] } }\nnetworks: { n: }\nvolumes: { data: }",
    ),
    (
        "localhost for another service",
        "CMP131",
        "services: { a: { image: 'i:1', environment: { URL: 'http://localhost:5000/' } }, b: { image: 'i:1', expose: ['5000'] } }",
        "services: { a: { image: 'i:1', expose: ['5000'], environment: { URL: 'http://localhost:5000/' } }, b: { image: 'i:1', expose: ['5000'] } }",
    ),
    (
        "localhost for another service, and as the origin of what a browser sends",
        "CMP131",
        "services: { a: { image: 'i:1', environment: { API_URL: 'http://localhost:5000' } }, b: { image: 'i:1', expose: ['5000'] } }",
        "services: { a: { image: 'i:1', environment: { CORS_ORIGINS: 'http://localhost:5000' } }, b: { image: 'i:1', expose: ['5000'] } }",
    ),
    (
        "localhost for another service, and for a port of the host that a profile publishes",
        "CMP131",
        "services: { a: { image: 'i:1', environment: { API_URL: 'http://localhost:5000' } }, b: { image: 'i:1', expose: ['5000'] } }",
        "services: { a: { image: 'i:1', environment: { API_URL: 'http://localhost:5000' } }, b: { image: 'i:1', expose: ['5000'] }, c: { image: 'i:1', profiles: [p], ports: ['5000:80'] } }",
    ),
    (
        "an alias that is the name of a service",
        "CMP132",
        "services: { a: { image: 'i:1', networks: { n: { aliases: [b] } } }, b: { image: 'i:1', networks: [n] } }\nnetworks: { n: }",
        "services: { a: { image: 'i:1', networks: { n: { aliases: [b] } } }, b: { image: 'i:1', networks: [m] } }\nnetworks: { n: , m: }",
    ),
    (
        "a container name of replicas",
        "CMP025",
        "services: { a: { image: 'i:1', container_name: one, deploy: { replicas: 2 } } }",
        "services: { a: { image: 'i:1', container_name: one, deploy: { replicas: 1 } } }",
    ),
    (
        "a container name twice",
        "CMP025",
        "services: { a: { image: 'i:1', container_name: one }, b: { image: 'i:1', container_name: one } }",
        "services: { a: { image: 'i:1', container_name: one }, b: { image: 'i:1', container_name: two } }",
    ),
    (
        "a container name twice, once in a file that is included",
        "CMP025",
        "include: [named.yaml]\nservices: { a: { image: 'i:1', container_name: fixed } }",
        "include: [named.yaml]\nservices: { a: { image: 'i:1', container_name: fixed2 } }",
    ),
    (
        "a container name twice, once in a profile",
        "CMP135",
        "services: { a: { image: 'i:1', container_name: one }, b: { image: 'i:1', profiles: [p], container_name: one } }",
        "services: { a: { image: 'i:1', profiles: [q], container_name: one }, b: { image: 'i:1', profiles: [p], container_name: one } }",
    ),
];

const ORDER: &[Mistake] = &[
    (
        "waiting for the health of a service without a health check",
        "CMP120",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_healthy } } }, b: { image: 'i:1' } }",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_healthy } } }, b: { image: 'i:1', healthcheck: { test: x } } }",
    ),
    (
        "waiting for the health of a service whose health check is disabled",
        "CMP121",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_healthy } } }, b: { image: 'i:1', healthcheck: { disable: true } } }",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_started } } }, b: { image: 'i:1', healthcheck: { disable: true } } }",
    ),
    (
        "waiting for the end of what never ends",
        "CMP122",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_completed_successfully } } }, b: { image: 'i:1', restart: always } }",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_completed_successfully } } }, b: { image: 'i:1', restart: on-failure } }",
    ),
    (
        "a circle over depends_on",
        "CMP021",
        "services: { a: { image: 'i:1', depends_on: [b] }, b: { image: 'i:1', depends_on: [a] } }",
        "services: { a: { image: 'i:1', depends_on: [b, c] }, b: { image: 'i:1', depends_on: [c] }, c: { image: 'i:1' } }",
    ),
    (
        "a circle over links",
        "CMP021",
        "services: { a: { image: 'i:1', links: [b] }, b: { image: 'i:1', links: [a] } }",
        "services: { a: { image: 'i:1', links: [b] }, b: { image: 'i:1' } }",
    ),
    (
        "a circle over volumes_from",
        "CMP021",
        "services: { a: { image: 'i:1', volumes_from: [b] }, b: { image: 'i:1', volumes_from: ['a:ro'] } }",
        "services: { a: { image: 'i:1', volumes_from: [b] }, b: { image: 'i:1', volumes_from: ['container:a'] } }",
    ),
    (
        "a circle over network_mode",
        "CMP021",
        "services: { a: { image: 'i:1', network_mode: 'service:b' }, b: { image: 'i:1', depends_on: [a] } }",
        "services: { a: { image: 'i:1', network_mode: 'container:b' }, b: { image: 'i:1', depends_on: [a] } }",
    ),
    (
        "a circle over pid",
        "CMP021",
        "services: { a: { image: 'i:1', pid: 'service:b' }, b: { image: 'i:1', depends_on: [a] } }",
        "services: { a: { image: 'i:1', pid: host }, b: { image: 'i:1', depends_on: [a] } }",
    ),
    (
        "a circle over ipc",
        "CMP021",
        "services: { a: { image: 'i:1', ipc: 'service:b' }, b: { image: 'i:1', depends_on: [a] } }",
        "services: { a: { image: 'i:1', ipc: 'service:b' }, b: { image: 'i:1', ipc: shareable } }",
    ),
    (
        "a profile that leaves a dependency out",
        "CMP020",
        "services: { a: { image: 'i:1', depends_on: [b] }, b: { image: 'i:1', profiles: [p] } }",
        "services: { a: { image: 'i:1', depends_on: { b: { condition: service_started, required: false } } }, b: { image: 'i:1', profiles: [p] } }",
    ),
    (
        "a profile that is not active and leaves a dependency out",
        "CMP123",
        "services: { a: { image: 'i:1', profiles: [p], depends_on: [b] }, b: { image: 'i:1', profiles: [q] } }",
        "services: { a: { image: 'i:1', profiles: [p], depends_on: [b] }, b: { image: 'i:1', profiles: [p, q] } }",
    ),
];

const ADDRESSES: &[Mistake] = &[
    (
        "an address outside of its subnet",
        "CMP110",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.1.7 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24 }] } } }",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.7 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24 }] } } }",
    ),
    (
        "an address twice",
        "CMP111",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.7 } } }, b: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.7 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24 }] } } }",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.7 } } }, b: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.8 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24 }] } } }",
    ),
    (
        "the address of the gateway",
        "CMP112",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.9 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24, gateway: 10.5.0.9 }] } } }",
        "services: { a: { image: 'i:1', networks: { n: { ipv4_address: 10.5.0.9 } } } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/24, gateway: 10.5.0.1 }] } } }",
    ),
    (
        "pools that overlap",
        "CMP114",
        "services: { a: { image: 'i:1', networks: [n, m] } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/16 }] } }, m: { ipam: { config: [{ subnet: 10.5.7.0/24 }] } } }",
        "services: { a: { image: 'i:1', networks: [n, m] } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.5.0.0/16 }] } }, m: { ipam: { config: [{ subnet: 10.6.7.0/24 }] } } }",
    ),
    (
        "a fixed pool and a default pool that may overlap",
        "CMP117",
        "services: { a: { image: 'i:1', networks: [n, default] } }\nnetworks: { n: { ipam: { config: [{ subnet: 172.20.0.0/16 }] } } }",
        "services: { a: { image: 'i:1', networks: [n, default] } }\nnetworks: { n: { ipam: { config: [{ subnet: 10.20.0.0/16 }] } } }",
    ),
];

const FILES: &[Mistake] = &[
    (
        "two mounts on one target",
        "CMP026",
        "services: { a: { image: 'i:1', tmpfs: [/d], volumes: ['data:/d'] } }\nvolumes: { data: }",
        "services: { a: { image: 'i:1', tmpfs: [/d/e], volumes: ['data:/d'] } }\nvolumes: { data: }",
    ),
    (
        "a bind source that is not there",
        "CMP140",
        "services: { a: { image: 'i:1', volumes: ['./missing:/d'] } }",
        "services: { a: { image: 'i:1', volumes: ['./there:/d'] } }",
    ),
    (
        "a bind source that is not there, and a folder for data that Docker may make",
        "CMP140",
        "services: { a: { image: 'i:1', volumes: ['./missing/init-data.sql:/d'] } }",
        "services: { a: { image: 'i:1', volumes: ['./missing/pg-data:/d', './missing/esdata:/e', './missing/x:/var/lib/mysql'] } }",
    ),
    (
        "a bind source that is not there and that Docker does not make",
        "CMP141",
        "services: { a: { image: 'i:1', volumes: [{ type: bind, source: ./missing, target: /d }] } }",
        "services: { a: { image: 'i:1', volumes: [{ type: bind, source: ./missing, target: /d, bind: { create_host_path: true } }] } }",
    ),
    (
        "an env file that is not there",
        "CMP017",
        "services: { a: { image: 'i:1', env_file: missing.env } }",
        "services: { a: { image: 'i:1', env_file: a.env } }",
    ),
    (
        "the file of a secret that is not there",
        "CMP142",
        "services: { a: { image: 'i:1', secrets: [s] } }\nsecrets: { s: { file: missing.txt } }",
        "services: { a: { image: 'i:1', secrets: [s] } }\nsecrets: { s: { file: there.txt } }",
    ),
    (
        "the file of a config that is not there",
        "CMP142",
        "services: { a: { image: 'i:1', configs: [s] } }\nconfigs: { s: { file: missing.txt } }",
        "services: { a: { image: 'i:1' } }\nconfigs: { s: { file: missing.txt } }",
    ),
    (
        "a build context that is not there",
        "CMP143",
        "services: { a: { build: missing } }",
        "services: { a: { build: there } }",
    ),
    (
        "a Dockerfile that is not there",
        "CMP143",
        "services: { a: { build: { context: there, dockerfile: missing.Dockerfile } } }",
        "services: { a: { build: { context: there, dockerfile: Dockerfile } } }",
    ),
];

const VALUES: &[Mistake] = &[
    (
        "a reservation of memory above the limit",
        "CMP150",
        "services: { a: { image: 'i:1', deploy: { resources: { limits: { memory: 64M }, reservations: { memory: 1G } } } } }",
        "services: { a: { image: 'i:1', deploy: { resources: { limits: { memory: 1G }, reservations: { memory: 1024M } } } } }",
    ),
    (
        "a reservation of processors above the limit",
        "CMP151",
        "services: { a: { image: 'i:1', deploy: { resources: { limits: { cpus: '0.5' }, reservations: { cpus: '1' } } } } }",
        "services: { a: { image: 'i:1', deploy: { resources: { limits: { cpus: '0.5' }, reservations: { cpus: '0.50' } } } } }",
    ),
    (
        "an unset variable that becomes empty",
        "CMP010",
        "services: { a: { image: 'i:${TAG}' } }",
        "services: { a: { image: 'i:${TAG:-1}' } }",
    ),
    (
        "a port that YAML reads as a number",
        "CMP161",
        "services: { a: { image: 'i:1', ports: [22:22] } }",
        "services: { a: { image: 'i:1', ports: ['22:22', 8022:8022] } }",
    ),
    (
        "a number that loses a digit",
        "CMP160",
        "services: { a: { image: 'i:1', environment: { PYTHON: 3.10 } } }",
        "services: { a: { image: 'i:1', environment: { PYTHON: '3.10', OTHER: 3.11 } } }",
    ),
    (
        "`no` where a truth value belongs",
        "CMP031",
        "services: { a: { image: 'i:1', init: no } }",
        "services: { a: { image: 'i:1', init: false, restart: 'no' } }",
    ),
    (
        "a key that only Swarm heeds",
        "CMP152",
        "services: { a: { image: 'i:1', deploy: { endpoint_mode: vip } } }",
        "services: { a: { image: 'i:1', deploy: { replicas: 1 } } }",
    ),
    (
        "`version`",
        "CMP030",
        "version: '3.8'\nservices: { a: { image: 'i:1' } }",
        "name: v3\nservices: { a: { image: 'i:1' } }",
    ),
];

const SECURITY: &[Mistake] = &[
    (
        "a privileged container",
        "CMP200",
        "services: { a: { image: 'i:1', privileged: true } }",
        "services: { a: { image: 'i:1', privileged: false } }",
    ),
    (
        "the socket of Docker",
        "CMP201",
        "services: { a: { image: 'i:1', volumes: ['/var/run/docker.sock:/var/run/docker.sock'] } }",
        "services: { a: { image: 'i:1', volumes: ['/var/run/other.sock:/var/run/docker.sock'] } }",
    ),
    (
        "the network of the host",
        "CMP202",
        "services: { a: { image: 'i:1', network_mode: host } }",
        "services: { a: { image: 'i:1', network_mode: none } }",
    ),
    (
        "a secret in plain text",
        "CMP203",
        "services: { a: { image: 'i:1', environment: { DB_PASSWORD: hunter2 } } }",
        "services: { a: { image: 'i:1', environment: { DB_PASSWORD_FILE: /run/secrets/db } } }",
    ),
    (
        "an image without a tag",
        "CMP204",
        "services: { a: { image: 'registry:5000/team/app' } }",
        "services: { a: { image: 'registry:5000/team/app:1' } }",
    ),
];

#[test]
fn every_mistake_is_found_and_what_comes_close_is_not() {
    for group in [PORTS, NAMES, ORDER, ADDRESSES, FILES, VALUES, SECURITY] {
        for (what, code, bad, close) in group {
            let found = findings(&[bad], &[]);
            assert!(found.iter().any(|(found, _)| found == code), "{what}: {found:?}");
            let found = findings(&[close], &[]);
            assert!(!found.iter().any(|(found, _)| found == code), "{what}, the near miss: {found:?}");
        }
    }
}

#[test]
fn an_override_doubles_ports_and_replaces_volumes() {
    let base =
        "services: { a: { image: 'i:1', ports: ['80:80'], volumes: ['one:/d'] } }\nvolumes: { one: , two: }";
    let has = |over: &str, code: &str| findings(&[base, over], &[]).iter().any(|(found, _)| found == code);
    assert!(has("services: { a: { ports: ['8080:80'] } }", "CMP103"));
    assert!(!has("services: { a: { ports: ['8080:81'] } }", "CMP103"));
    assert!(!has("services: { a: { ports: !override ['8080:80'] } }", "CMP103"));
    // A volume at the same target replaces the other one, as in Compose: two mounts on one target cannot come of it.
    assert!(!has("services: { a: { volumes: ['two:/d'] } }", "CMP026"));
    assert!(has("services: { a: { volumes: ['two:/d'] } }", "CMP144"), "nobody uses the first one then");
    // The same container name in two files of one project.
    let named = "services: { a: { container_name: one }, b: { image: 'i:1', container_name: one } }";
    assert!(has(named, "CMP025"));
    assert!(!has(
        "services: { a: { container_name: one }, b: { image: 'i:1', container_name: two } }",
        "CMP025"
    ));
}

#[test]
fn profiles_decide_whether_a_port_is_published_twice() {
    let file = "services: { a: { image: 'i:1', ports: ['80:80'] }, b: { image: 'i:1', profiles: [p], ports: ['80:80'] }, \
                c: { image: 'i:1', profiles: [q], ports: ['80:80'] } }";
    let codes = |profiles: &[&str]| {
        let mut codes: Vec<_> = findings(&[file], profiles).into_iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(codes(&[]), ["CMP106", "CMP106"], "with either profile");
    assert_eq!(codes(&["p"]), ["CMP100", "CMP106"], "with this one now, and with the other");
    assert_eq!(codes(&["p", "q"]), ["CMP100", "CMP100"], "at the second and at the third");
}

/// Compose refuses a file with a key that it does not know; what else is wrong with it is said all the same.
#[test]
fn an_unknown_key_hides_nothing_else() {
    let codes = |text: &str| -> Vec<String> {
        let mut codes: Vec<_> = findings(&[text], &[]).into_iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        codes
    };
    let port = "ports: ['80:80']";
    for (text, expected) in [
        // Another key, another service, a key at the top, what rules say of both.
        ("services: { a: { image: 'i:1', foo: 1, networks: [x] } }", &["CMP002", "CMP020"][..]),
        ("services: { a: { image: 'i:1', foo: 1, scale: x } }", &["CMP002", "CMP011"]),
        ("servces: {}\nservices: { a: { networks: [x], image: 'i:1' } }", &["CMP002", "CMP020"]),
        (
            &format!("services: {{ a: {{ image: 'i:1', foo: 1, {port} }}, b: {{ image: 'i:1', {port} }} }}"),
            &["CMP002", "CMP100"],
        ),
        // The key that is meant counts, with what is wrong below it.
        (
            &format!(
                "services: {{ a: {{ image: 'i:1', prots: ['80:80'] }}, b: {{ image: 'i:1', {port} }} }}"
            ),
            &["CMP002", "CMP100"],
        ),
        ("services: { a: { imgae: 'i:1' } }", &["CMP002"]),
        ("services: { a: { image: 'i:1', helthcheck: { tset: x } } }", &["CMP002", "CMP002"]),
        ("srvices: { a: { imgae: 'i:1', scale: x } }", &["CMP002", "CMP002", "CMP019"]),
        // Where it was heeded too late, nothing more can be said.
        ("services: { a: { extnds: { service: b }, networks: [x] }, b: { image: 'i:1' } }", &["CMP002"]),
        ("services: { a: { image: 'i:1', x-foo: 1 } }", &[]),
    ] {
        assert_eq!(codes(text), expected, "{text}");
    }
    let sources = locus_source::Sources::new();
    let reading = common::reading(&sources, &["services: { a: { image: 'i:1', foo: 1 } }"], &[]);
    assert!(reading.project.is_none() && reading.corrected.is_some(), "Compose refuses it");
}

/// Nor does a part that does not fit: the errors of the rules are said beside it, and nothing that comes of it.
#[test]
fn what_does_not_fit_hides_no_error() {
    for (wrong, code) in [
        ("networks: [x]", "CMP020"),
        ("volumes: ['xx:/x']", "CMP020"),
        ("secrets: [x]", "CMP020"),
        ("configs: [x]", "CMP020"),
        ("depends_on: [x]", "CMP020"),
        ("links: [x]", "CMP020"),
        ("volumes_from: [x]", "CMP020"),
        ("pid: 'service:x'", "CMP020"),
        ("depends_on: [c]", "CMP021"),
        ("container_name: nn", "CMP025"),
        ("env_file: missing.env", "CMP017"),
        ("build: { context: ., secrets: [x] }", "CMP020"),
    ] {
        let text = format!(
            "services: {{ a: {{ image: 'i:1', ports: ['80:80'] }}, b: {{ image: 'i:1', ports: ['80:80'] }}, \
             c: {{ image: 'i:1', {wrong} }}, d: {{ image: 'i:1', container_name: nn, depends_on: [c] }}, \
             e: {{ image: 'i:1', environment: {{ HOST: d }}, volumes: ['./missing:/etc/app'] }} }}"
        );
        let mut codes: Vec<_> = findings(&[&text], &[]).into_iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes, [code, "CMP100"], "{wrong}");
    }
}
