//! Where a cloud is and who asks: `clouds.yaml` with `secure.yaml`, or the variables `OS_…`, as OpenStack's own
//! client reads them.
//!
//! Out of scope: `clouds-public.yaml` and profiles of vendors, and ways of authentication that need another service.

use std::collections::BTreeMap;

use locus_source::yaml::{self, YamlOptions};
use locus_source::{Node, Sources};

/// All that is looked up on this machine.
pub trait Machine {
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;
    /// A file, by its path; `~` stands for the folder of the user.
    fn file(&self, path: &str) -> Option<String>;
}

/// The cloud that is meant: one of `clouds.yaml` and a region; neither need be named.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Named {
    /// The name in `clouds.yaml`; none for that of `OS_CLOUD`, or what the variables say.
    pub cloud: Option<String>,
    /// The region, if it is not the one that is configured.
    pub region: Option<String>,
}

/// A cloud, and who asks. It has secrets, so it is neither shown nor stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Cloud {
    /// Where Keystone is, with its version.
    pub auth_url: String,
    /// The one who asks.
    pub auth: Auth,
    /// The project, domain or system that it is about.
    pub scope: BTreeMap<&'static str, String>,
    /// The region; none for the first that the catalogue has.
    pub region: Option<String>,
    /// The interface of the catalogue: `public`, `internal` or `admin`.
    pub interface: String,
    /// Certificates to trust, in PEM.
    pub roots: Vec<u8>,
    /// Whether certificates are verified.
    pub verify: bool,
    /// Addresses that are given instead of those of the catalogue, by the word for the service.
    pub endpoints: BTreeMap<String, String>,
}

/// The one who asks.
#[derive(Clone, PartialEq, Eq)]
pub enum Auth {
    /// A user with a password: its id, or its name and domain.
    Password(BTreeMap<&'static str, String>),
    /// An application credential: its id, or its name and user; and its secret.
    Application(BTreeMap<&'static str, String>),
    /// A token.
    Token(String),
}

/// The settings of `auth`, all of which have a variable `OS_…` as well.
const SETTINGS: [&str; 21] = [
    "auth_url",
    "username",
    "user_id",
    "password",
    "user_domain_id",
    "user_domain_name",
    "domain_id",
    "domain_name",
    "default_domain",
    "project_id",
    "project_name",
    "project_domain_id",
    "project_domain_name",
    "tenant_id",
    "tenant_name",
    "system_scope",
    "token",
    "application_credential_id",
    "application_credential_name",
    "application_credential_secret",
    "trust_id",
];

/// Where `clouds.yaml` may be, in order.
const FOLDERS: [&str; 3] = [".", "~/.config/openstack", "/etc/openstack"];

/// Where the certificates are that a machine trusts.
const ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Settings by name, as texts.
type Settings = BTreeMap<String, String>;

impl Cloud {
    /// The cloud that is meant.
    ///
    /// # Errors
    /// If it is not configured, or not enough is said; in words.
    pub fn find(named: &Named, machine: &dyn Machine) -> Result<Self, String> {
        let name =
            named.cloud.clone().or_else(|| machine.variable("OS_CLOUD")).filter(|name| !name.is_empty());
        let settings = match &name {
            Some(name) => of_file(name, machine)?,
            None => of_variables(machine),
        };
        let what = name.as_ref().map_or_else(|| "OS_…".to_owned(), |name| format!("the cloud `{name}`"));
        Self::of(&settings, named, machine).map_err(|why| format!("{what}: {why}"))
    }

    fn of(settings: &Settings, named: &Named, machine: &dyn Machine) -> Result<Self, String> {
        let get = |name: &str| settings.get(name).filter(|value| !value.is_empty()).cloned();
        let first = |names: &[&str]| names.iter().find_map(|name| get(name));
        let mut auth_url =
            get("auth_url").ok_or("where Keystone is (`auth_url`, OS_AUTH_URL) is not said")?;
        auth_url.truncate(auth_url.trim_end_matches('/').len());
        if auth_url.ends_with("/v2.0") {
            return Err("version 2.0 of Keystone is not supported".to_owned());
        }
        if !auth_url.ends_with("/v3") {
            auth_url.push_str("/v3");
        }
        if !auth_url.starts_with("http://") && !auth_url.starts_with("https://") {
            return Err(format!("`{auth_url}` is no address of a service"));
        }
        let collect = |pairs: &[(&'static str, Option<String>)]| -> BTreeMap<&'static str, String> {
            pairs.iter().filter_map(|(name, value)| Some((*name, value.clone()?))).collect()
        };
        let user_domain = || {
            let default = first(&["domain_id", "default_domain"]);
            let id = first(&["user_domain_id"]);
            let name = first(&["user_domain_name"]);
            let default =
                if id.is_none() && name.is_none() { default.or(Some("default".to_owned())) } else { None };
            (id.or(default), name)
        };
        let auth = if let Some(secret) = get("application_credential_secret") {
            let (domain_id, domain_name) = user_domain();
            let id = get("application_credential_id");
            let by_name = |value: Option<String>| value.filter(|_| id.is_none());
            Auth::Application(collect(&[
                ("id", id.clone()),
                ("name", by_name(get("application_credential_name"))),
                ("user_id", by_name(get("user_id"))),
                ("username", by_name(get("username"))),
                ("domain_id", by_name(domain_id)),
                ("domain_name", by_name(domain_name)),
                ("secret", Some(secret)),
            ]))
        } else if let Some(password) = get("password") {
            let (domain_id, domain_name) = user_domain();
            let id = get("user_id");
            if id.is_none() && get("username").is_none() {
                return Err("who asks (`username`, OS_USERNAME) is not said".to_owned());
            }
            let by_name = |value: Option<String>| value.filter(|_| id.is_none());
            Auth::Password(collect(&[
                ("id", id.clone()),
                ("name", by_name(get("username"))),
                ("domain_id", by_name(domain_id)),
                ("domain_name", by_name(domain_name)),
                ("password", Some(password)),
            ]))
        } else if let Some(token) = get("token") {
            Auth::Token(token)
        } else {
            return Err("neither a password, nor an application credential, nor a token is given".to_owned());
        };
        let project = first(&["project_id", "tenant_id"]);
        let project_name = first(&["project_name", "tenant_name"]).filter(|_| project.is_none());
        let has_name = project_name.is_some();
        let project_domain_name = get("project_domain_name").filter(|_| has_name);
        let project_domain = first(&["project_domain_id", "default_domain"]).or(Some("default".to_owned()));
        let project_domain = project_domain.filter(|_| has_name && project_domain_name.is_none());
        let has_project = has_name || project.is_some();
        let scope = match auth {
            // The credential says it.
            Auth::Application(_) => BTreeMap::new(),
            _ => collect(&[
                ("project_id", project),
                ("project_name", project_name),
                ("project_domain_id", project_domain),
                ("project_domain_name", project_domain_name),
                ("domain_id", get("domain_id").filter(|_| !has_project)),
                ("domain_name", get("domain_name").filter(|_| !has_project)),
                ("system", get("system_scope").filter(|_| !has_project)),
            ]),
        };
        let verify = !matches!(get("verify").as_deref(), Some("false" | "False" | "no" | "0"));
        let verify = verify && !matches!(get("insecure").as_deref(), Some("true" | "True" | "yes" | "1"));
        let roots = match get("cacert") {
            Some(path) => {
                machine.file(&path).ok_or_else(|| format!("{path}: the certificates cannot be read"))?
            }
            None => ROOTS.iter().find_map(|path| machine.file(path)).unwrap_or_default(),
        };
        let interface = first(&["interface", "endpoint_type"]).unwrap_or_else(|| "public".to_owned());
        let given = settings.iter().filter_map(|(name, value)| {
            Some((name.strip_suffix("_endpoint_override")?.replace('_', "-"), value.clone()))
        });
        Ok(Self {
            auth_url,
            auth,
            scope,
            region: named.region.clone().or_else(|| get("region_name")),
            interface: interface.trim_end_matches("URL").to_owned(),
            roots: roots.into_bytes(),
            verify,
            endpoints: given.collect(),
        })
    }
}

/// The settings that the variables say.
fn of_variables(machine: &dyn Machine) -> Settings {
    let more = ["region_name", "interface", "endpoint_type", "cacert", "insecure"];
    let names = SETTINGS.iter().chain(&more);
    let given =
        |name: &&str| Some(((*name).to_owned(), machine.variable(&format!("OS_{}", name.to_uppercase()))?));
    names.filter_map(given).collect()
}

/// The settings of a cloud in `clouds.yaml`, with those of `secure.yaml`.
fn of_file(name: &str, machine: &dyn Machine) -> Result<Settings, String> {
    let own = machine.variable("OS_CLIENT_CONFIG_FILE");
    let paths = own.into_iter().chain(FOLDERS.iter().map(|folder| format!("{folder}/clouds.yaml")));
    let found = paths.into_iter().find_map(|path| Some((machine.file(&path)?, path)));
    let (text, path) =
        found.ok_or("there is no clouds.yaml here, in ~/.config/openstack or in /etc/openstack")?;
    let mut settings = Settings::new();
    if !read(&text, name, &mut settings).map_err(|why| format!("{path}: {why}"))? {
        return Err(format!("{path}: there is no cloud `{name}`"));
    }
    let beside = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let own = machine.variable("OS_CLIENT_SECURE_FILE");
    let secure = own.unwrap_or_else(|| format!("{beside}/secure.yaml"));
    if let Some(text) = machine.file(&secure) {
        read(&text, name, &mut settings).map_err(|why| format!("{secure}: {why}"))?;
    }
    Ok(settings)
}

/// Reads the settings of a cloud in a file into those that are there. Says whether there is such a cloud.
fn read(text: &str, name: &str, into: &mut Settings) -> Result<bool, String> {
    let sources = Sources::new();
    let parsed = yaml::parse(&sources.add("clouds.yaml", text), &YamlOptions::pyyaml());
    // What is wrong is not shown, since it may be a secret.
    let tree = parsed.documents.first().filter(|_| !parsed.has_errors()).ok_or("this is not YAML")?;
    let Some(cloud) = tree.root().get("clouds").and_then(|clouds| clouds.get(name)) else { return Ok(false) };
    let mut take = |node: Node<'_>| {
        for entry in node.entries().filter(|entry| entry.value.is_scalar() && !entry.value.is_null()) {
            into.insert(entry.key.raw().to_owned(), entry.value.raw().to_owned());
        }
    };
    take(cloud);
    if let Some(auth) = cloud.get("auth") {
        take(auth);
    }
    if let Some(first) = cloud.get("regions").and_then(|regions| regions.items().next())
        && !into.contains_key("region_name")
    {
        let region = if first.is_scalar() { Some(first) } else { first.get("name") };
        if let Some(region) = region {
            into.insert("region_name".to_owned(), region.raw().to_owned());
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Here(BTreeMap<&'static str, &'static str>);

    impl Machine for Here {
        fn variable(&self, name: &str) -> Option<String> {
            self.0.get(name).map(|value| (*value).to_owned())
        }

        fn file(&self, path: &str) -> Option<String> {
            self.variable(path)
        }
    }

    fn find(name: Option<&str>, here: &[(&'static str, &'static str)]) -> Result<Cloud, String> {
        let named = Named { cloud: name.map(str::to_owned), region: None };
        Cloud::find(&named, &Here(here.iter().copied().collect()))
    }

    /// A cloud has secrets, so that it cannot be shown where there should be none.
    fn found(name: Option<&str>, here: &[(&'static str, &'static str)]) -> Cloud {
        match find(name, here) {
            Ok(cloud) => cloud,
            Err(why) => panic!("{why}"),
        }
    }

    const CLOUDS: &str = "\
clouds:
  lab:
    auth: {auth_url: 'http://k:5000', username: ada, project_name: demo, user_domain_name: Default}
    region_name: One
    interface: internal
    network_endpoint_override: http://n:9696
  app:
    auth_type: v3applicationcredential
    auth: {auth_url: https://k/v3/, application_credential_id: abc}
    verify: false
";

    #[test]
    fn a_cloud_is_read_with_its_secrets() {
        let secure =
            "clouds: {lab: {auth: {password: hush}}, app: {auth: {application_credential_secret: s}}}";
        let files = [("./clouds.yaml", CLOUDS), ("./secure.yaml", secure)];
        let lab = found(Some("lab"), &files);
        assert_eq!(
            (&*lab.auth_url, &*lab.interface, lab.region.as_deref()),
            ("http://k:5000/v3", "internal", Some("One"))
        );
        let Auth::Password(user) = &lab.auth else { panic!("it is a password") };
        assert_eq!(user["password"], "hush");
        assert_eq!((user["name"].as_str(), user["domain_name"].as_str()), ("ada", "Default"));
        assert!(!user.contains_key("domain_id"));
        assert_eq!(
            (lab.scope["project_name"].as_str(), lab.scope["project_domain_id"].as_str()),
            ("demo", "default")
        );
        assert_eq!(lab.endpoints["network"], "http://n:9696");
        let app = found(Some("app"), &files);
        let Auth::Application(credential) = &app.auth else { panic!("it is an application credential") };
        assert_eq!(credential.keys().copied().collect::<Vec<_>>(), ["id", "secret"]);
        assert!(app.scope.is_empty() && !app.verify);
    }

    #[test]
    fn what_is_missing_is_said_without_secrets() {
        let said = |name, here: &[(&'static str, &'static str)]| {
            find(name, here).err().expect("something is missing")
        };
        assert_eq!(
            said(Some("x"), &[]),
            "there is no clouds.yaml here, in ~/.config/openstack or in /etc/openstack"
        );
        assert_eq!(said(Some("x"), &[("./clouds.yaml", CLOUDS)]), "./clouds.yaml: there is no cloud `x`");
        let why = "the cloud `lab`: neither a password, nor an application credential, nor a token is given";
        assert_eq!(said(Some("lab"), &[("./clouds.yaml", CLOUDS)]), why);
        assert_eq!(said(Some("lab"), &[("./clouds.yaml", "{hush")]), "./clouds.yaml: this is not YAML");
        assert!(said(None, &[("OS_AUTH_URL", "http://k"), ("OS_PASSWORD", "hush")]).contains("OS_USERNAME"));
    }

    #[test]
    fn variables_say_the_same() {
        let here = [
            ("OS_AUTH_URL", "http://k/v3"),
            ("OS_USERNAME", "ada"),
            ("OS_PASSWORD", "hush"),
            ("OS_PROJECT_ID", "p1"),
            ("OS_REGION_NAME", "Two"),
        ];
        let cloud = found(None, &here);
        assert_eq!(cloud.scope, BTreeMap::from([("project_id", "p1".to_owned())]));
        assert_eq!(cloud.region.as_deref(), Some("Two"));
        let token = found(None, &[("OS_AUTH_URL", "http://k/v3"), ("OS_TOKEN", "t")]);
        assert!(token.auth == Auth::Token("t".to_owned()));
    }
}
