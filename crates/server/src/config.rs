//! The configuration: defaults from `mirasa.toml` inside the program, then a file, then the environment,
//! then the command line. Whatever is wrong is said with its key before anything starts.

mod image_hosts;
mod layers;

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
    pub max_packs_per_order: u32,
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
    /// As written; `Config::image_hosts` has them checked.
    pub image_hosts: Vec<String>,
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
            layers::lay_over(&mut settings, own);
        }
        layers::apply_environment(&mut settings, "", &environment)?;
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
        self.image_hosts()?;
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

#[cfg(test)]
mod tests;
