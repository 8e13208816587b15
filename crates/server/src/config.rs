//! The configuration: defaults from `mirasa.toml` inside the program, then a file, then the environment,
//! then the command line. Whatever is wrong is said with its key before anything starts.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use mirasa_http::ShopIdentity;
use mirasa_store::DatabaseUrl;
use serde::Deserialize;
use toml::{Table, Value};

use crate::cli::Flags;

const DEFAULTS: &str = include_str!("../../../mirasa.toml");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub listen: SocketAddr,
    pub public_url: String,
    pub data: PathBuf,
    pub database_url: String,
    pub database_connections: u32,
    pub production: bool,
    pub log: String,
    pub log_format: LogFormat,
    pub metrics_token: String,
    pub session_days: u32,
    pub admin_emails: Vec<String>,
    pub rate_limit: Switch,
    pub trusted_proxies: Vec<String>,
    pub google: Google,
    pub phonepe: PhonePe,
    pub mail: Mail,
    pub pictures: Pictures,
    pub sandbox: Sandbox,
    pub pincodes: Pincodes,
    pub shop: ShopIdentity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Google {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    pub prompt: String,
}

/// Shows no secret, whoever logs a configuration.
impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Google")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhonePe {
    pub payment_base: String,
    pub token_base: String,
    pub client_id: String,
    pub client_version: String,
    pub client_secret: String,
    pub webhook_username: String,
    pub webhook_password: String,
    /// How long one call to the gateway may take.
    pub timeout_s: u64,
}

impl std::fmt::Debug for PhonePe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PhonePe")
            .field("payment_base", &self.payment_base)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    pub smtp_url: String,
    pub from: String,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mail")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    pub bucket: String,
    pub endpoint: String,
    pub region: String,
    pub access_key: String,
    pub secret_key: String,
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pictures")
            .field("bucket", &self.bucket)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    pub secret: String,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandbox")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pincodes {
    pub lookup_url: String,
}

/// What is wrong, by key, in words for whoever wrote it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadConfig(String);

fn bad(key: &str, why: impl std::fmt::Display) -> BadConfig {
    BadConfig(format!("configuration key {key}: {why}"))
}

impl Config {
    pub fn load(flags: &Flags) -> Result<Config, BadConfig> {
        let environment = |name: &str| std::env::var(name).ok();
        Config::from_parts(flags, environment)
    }

    fn from_parts(
        flags: &Flags,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Config, BadConfig> {
        let mut settings: Table = DEFAULTS
            .parse()
            .map_err(|error| BadConfig(format!("the built-in defaults: {error}")))?;
        let file = flags
            .config
            .clone()
            .or_else(|| environment("MIRASA_CONFIG").map(PathBuf::from));
        if let Some(file) = file {
            let text = std::fs::read_to_string(&file).map_err(|error| {
                BadConfig(format!("configuration file {}: {error}", file.display()))
            })?;
            let own: Table = text.parse().map_err(|error| {
                BadConfig(format!("configuration file {}: {error}", file.display()))
            })?;
            lay_over(&mut settings, own);
        }
        apply_environment(&mut settings, "", &environment)?;
        let mut flag = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                settings.insert(key.into(), Value::String(value));
            }
        };
        flag("listen", flags.listen.clone());
        flag("public_url", flags.public_url.clone());
        flag(
            "data",
            flags.data.as_ref().map(|data| data.display().to_string()),
        );
        flag("database_url", flags.database_url.clone());
        if flags.production {
            settings.insert("production".into(), Value::Boolean(true));
        }
        let config: Config = serde_path_to_error::deserialize(settings).map_err(|error| {
            let key = error.path().to_string();
            bad(&key, error.into_inner().message())
        })?;
        config.checked()
    }

    fn checked(self) -> Result<Config, BadConfig> {
        self.database()?;
        self.proxies()?;
        for (key, address) in [
            ("public_url", &self.public_url),
            ("google.issuer", &self.google.issuer),
            ("pincodes.lookup_url", &self.pincodes.lookup_url),
            ("pictures.endpoint", &self.pictures.endpoint),
        ] {
            let fine = address.is_empty()
                || url::Url::parse(address)
                    .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            if !fine {
                return Err(bad(
                    key,
                    format!("{address:?} is not an http:// or https:// address"),
                ));
            }
        }
        if self.public_url.ends_with('/') {
            return Err(bad("public_url", "must not end with a slash"));
        }
        if self.google.client_id.is_empty() != self.google.client_secret.is_empty() {
            return Err(bad(
                "google.client_secret",
                "client_id and client_secret must both be set, or neither",
            ));
        }
        let phonepe = &self.phonepe;
        let secrets = [
            &phonepe.client_secret,
            &phonepe.webhook_username,
            &phonepe.webhook_password,
        ];
        if !phonepe.client_id.is_empty() && secrets.iter().any(|secret| secret.is_empty()) {
            return Err(bad(
                "phonepe.client_secret",
                "client_secret, webhook_username and webhook_password must be set with client_id",
            ));
        }
        // Two calls in a row must end before the request that makes them is given up.
        if !(1..=12).contains(&phonepe.timeout_s) {
            return Err(bad("phonepe.timeout_s", "must be from 1 to 12"));
        }
        let pictures = &self.pictures;
        let keys = [
            ("pictures.region", &pictures.region),
            ("pictures.access_key", &pictures.access_key),
            ("pictures.secret_key", &pictures.secret_key),
        ];
        if let Some((key, _)) = keys.iter().find(|(_, value)| value.is_empty())
            && self.keeps_pictures_in_bucket()
        {
            return Err(bad(key, "must be set with pictures.bucket"));
        }
        if !(1..=1000).contains(&self.database_connections) {
            return Err(bad("database_connections", "must be from 1 to 1000"));
        }
        if !(1..=365).contains(&self.session_days) {
            return Err(bad("session_days", "must be from 1 to 365"));
        }
        if self.production {
            self.fit_for_production()?;
        }
        Ok(self)
    }

    fn fit_for_production(&self) -> Result<(), BadConfig> {
        if self.uses_sandbox_google() {
            return Err(bad(
                "google.client_id",
                "in production the sandbox Google may not be on; set client_id and client_secret",
            ));
        }
        if self.uses_sandbox_phonepe() {
            return Err(bad(
                "phonepe.client_id",
                "in production the sandbox gateway may not be on; set PhonePe's client_id and client_secret",
            ));
        }
        if self.keeps_mail() {
            return Err(bad(
                "mail.smtp_url",
                "in production letters must be sent; name an SMTP server",
            ));
        }
        if !self.public_url.starts_with("https://") {
            return Err(bad(
                "public_url",
                "in production it must begin with https://",
            ));
        }
        if self.admin_emails.is_empty() {
            return Err(bad(
                "admin_emails",
                "in production at least one admin must be named",
            ));
        }
        Ok(())
    }

    pub fn uses_sandbox_phonepe(&self) -> bool {
        self.phonepe.client_id.is_empty()
    }

    pub fn keeps_pictures_in_bucket(&self) -> bool {
        !self.pictures.bucket.is_empty()
    }

    pub fn keeps_mail(&self) -> bool {
        self.mail.smtp_url.is_empty()
    }

    pub fn uses_sandbox_google(&self) -> bool {
        self.google.client_id.is_empty()
    }

    pub fn proxies(&self) -> Result<Vec<IpNet>, BadConfig> {
        let read = |text: &String| {
            let one = text.parse::<IpAddr>().map(IpNet::from);
            one.or_else(|_| text.parse()).map_err(|_| {
                let why = format!("{text:?} is neither an address nor a network like 10.0.0.0/8");
                bad("trusted_proxies", why)
            })
        };
        self.trusted_proxies.iter().map(read).collect()
    }

    pub fn database(&self) -> Result<DatabaseUrl, BadConfig> {
        if self.database_url.is_empty() {
            return Ok(DatabaseUrl::Sqlite(self.data.join("mirasa.db")));
        }
        self.database_url
            .parse()
            .map_err(|why| bad("database_url", why))
    }
}

fn lay_over(under: &mut Table, over: Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => lay_over(inner, value),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Every key of the defaults may come from the environment, read as the type that the default has.
fn apply_environment(
    table: &mut Table,
    prefix: &str,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<(), BadConfig> {
    for (key, value) in table.iter_mut() {
        let path = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        if let Value::Table(inner) = value {
            apply_environment(inner, &path, environment)?;
            continue;
        }
        let name = if path == "database_url" {
            "DATABASE_URL".to_owned()
        } else {
            format!("MIRASA_{}", path.replace('.', "_").to_uppercase())
        };
        if let Some(text) = environment(&name) {
            *value = read_as(value, &text).ok_or_else(|| {
                bad(
                    &path,
                    format!(
                        "the variable {name} has {text:?}, which is not a {}",
                        value.type_str()
                    ),
                )
            })?;
        }
    }
    Ok(())
}

fn read_as(like: &Value, text: &str) -> Option<Value> {
    Some(match like {
        Value::Boolean(_) => match text {
            "true" | "1" | "on" | "yes" => Value::Boolean(true),
            "false" | "0" | "off" | "no" | "" => Value::Boolean(false),
            _ => return None,
        },
        Value::Integer(_) => Value::Integer(text.parse().ok()?),
        Value::Float(_) => Value::Float(text.parse().ok()?),
        Value::Array(_) => {
            let entries = text
                .split(',')
                .map(str::trim)
                .filter(|entry| !entry.is_empty());
            Value::Array(
                entries
                    .map(|entry| Value::String(entry.to_owned()))
                    .collect(),
            )
        }
        _ => Value::String(text.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(flags: Flags, environment: &[(&str, &str)]) -> Result<Config, String> {
        let find = |name: &str| {
            environment
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        };
        Config::from_parts(&flags, find).map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_complete() {
        let config = load(Flags::default(), &[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.shop.name, "Mirasa");
        assert!(config.uses_sandbox_google());
        assert_eq!(
            config.database().unwrap(),
            DatabaseUrl::Sqlite("data/mirasa.db".into())
        );
    }

    #[test]
    fn a_flag_wins_over_the_variable_and_that_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.toml");
        std::fs::write(
            &file,
            "listen = \"127.0.0.1:1\"\nlog = \"warn\"\n[shop]\nname = \"Rasoi\"\n",
        )
        .unwrap();
        let with_file = Flags {
            config: Some(file),
            ..Flags::default()
        };
        let config = load(with_file.clone(), &[]).unwrap();
        assert_eq!(
            (
                config.listen.port(),
                config.log.as_str(),
                config.shop.name.as_str()
            ),
            (1, "warn", "Rasoi")
        );
        assert_eq!(
            config.shop.tagline, "Masalas ground the slow way",
            "what the file leaves out keeps its default"
        );

        let variables = [
            ("MIRASA_LISTEN", "127.0.0.1:2"),
            ("MIRASA_ADMIN_EMAILS", "a@b.c, d@e.f"),
            ("MIRASA_SHOP_MAP_LATITUDE", "1.5"),
        ];
        let config = load(with_file.clone(), &variables).unwrap();
        assert_eq!(
            (
                config.listen.port(),
                config.admin_emails.len(),
                config.shop.map.latitude
            ),
            (2, 2, 1.5)
        );

        let config = load(
            Flags {
                listen: Some("127.0.0.1:3".into()),
                ..with_file
            },
            &variables,
        )
        .unwrap();
        assert_eq!(config.listen.port(), 3);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_key() {
        let says = |environment: &[(&str, &str)]| load(Flags::default(), environment).unwrap_err();
        assert!(says(&[("MIRASA_LISTEN", "nowhere")]).contains("key listen"));
        assert!(says(&[("MIRASA_SESSION_DAYS", "soon")]).contains("key session_days"));
        assert!(says(&[("MIRASA_SESSION_DAYS", "0")]).contains("key session_days"));
        assert!(says(&[("DATABASE_URL", "mysql://x")]).contains("key database_url"));
        assert!(says(&[("MIRASA_PUBLIC_URL", "mirasa.example")]).contains("key public_url"));
        assert!(says(&[("MIRASA_GOOGLE_CLIENT_ID", "x")]).contains("key google.client_secret"));
        assert!(says(&[("MIRASA_PRODUCTION", "maybe")]).contains("key production"));
        assert!(says(&[("MIRASA_RATE_LIMIT", "maybe")]).contains("key rate_limit"));
        assert!(says(&[("MIRASA_PICTURES_BUCKET", "b")]).contains("key pictures.access_key"));
        assert!(says(&[("MIRASA_PICTURES_ENDPOINT", "s3")]).contains("key pictures.endpoint"));
        let proxies = [("MIRASA_TRUSTED_PROXIES", "10.0.0.0/8, proxy.local")];
        assert!(says(&proxies).contains("\"proxy.local\" is neither"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.toml");
        std::fs::write(&file, "listne = \"x\"").unwrap();
        assert!(
            load(
                Flags {
                    config: Some(file),
                    ..Flags::default()
                },
                &[]
            )
            .unwrap_err()
            .contains("listne")
        );
    }

    #[test]
    fn production_refuses_what_is_only_for_trying_out() {
        // Each step sets what the step before was refused for.
        let steps: [(&[(&str, &str)], &str); 5] = [
            (&[], "sandbox Google"),
            (
                &[
                    ("MIRASA_GOOGLE_CLIENT_ID", "id"),
                    ("MIRASA_GOOGLE_CLIENT_SECRET", "secret"),
                ],
                "sandbox gateway",
            ),
            (
                &[
                    ("MIRASA_PHONEPE_CLIENT_ID", "id"),
                    ("MIRASA_PHONEPE_CLIENT_SECRET", "secret"),
                    ("MIRASA_PHONEPE_WEBHOOK_USERNAME", "name"),
                    ("MIRASA_PHONEPE_WEBHOOK_PASSWORD", "secret"),
                ],
                "key mail.smtp_url",
            ),
            (
                &[("MIRASA_MAIL_SMTP_URL", "smtps://mail.mirasa.example")],
                "key public_url",
            ),
            (
                &[("MIRASA_PUBLIC_URL", "https://mirasa.example")],
                "key admin_emails",
            ),
        ];
        let production = |environment: &[(&str, &str)]| {
            let flags = Flags {
                production: true,
                ..Flags::default()
            };
            load(flags, environment)
        };
        let mut environment = Vec::new();
        for (more, refusal) in steps {
            environment.extend_from_slice(more);
            let said = production(&environment).unwrap_err();
            assert!(said.contains(refusal), "{said}");
        }
        environment.push(("MIRASA_ADMIN_EMAILS", "owner@mirasa.example"));
        assert!(production(&environment).is_ok());
    }

    #[test]
    fn a_configuration_shows_no_secret() {
        let config = load(
            Flags::default(),
            &[
                ("MIRASA_GOOGLE_CLIENT_ID", "id"),
                ("MIRASA_GOOGLE_CLIENT_SECRET", "hush"),
                ("MIRASA_SANDBOX_SECRET", "hush"),
                ("MIRASA_PICTURES_BUCKET", "pictures"),
                ("MIRASA_PICTURES_ACCESS_KEY", "hush"),
                ("MIRASA_PICTURES_SECRET_KEY", "hush"),
            ],
        )
        .unwrap();
        assert!(!format!("{config:?}").contains("hush"));
    }
}
