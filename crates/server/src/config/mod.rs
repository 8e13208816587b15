//! The configuration: the built-in `mirasa.toml`, then a file, then environment variables, then flags. An error names
//! its key and stops the start.

mod image_hosts;
mod layers;
mod production;
mod sections;
mod shipping;
mod tax;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use mirasa_domain::validation::is_email_address;
use mirasa_http::ShopIdentity;
use mirasa_store::DatabaseUrl;
use serde::Deserialize;
use toml::{Table, Value};

use crate::cli::Flags;
pub use crate::secret::Secret;
pub use sections::{
    CourierRule, Google, LogFormat, Mail, OnOff, PartnerChoice, PhonePe, Pictures, Pincodes,
    Sandbox, Shipping, Shiprocket, Stock, Tax, TaxRegistration, Telemetry,
};

const DEFAULTS: &str = include_str!("../../../../mirasa.toml");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub listen: SocketAddr,
    pub public_url: String,
    pub data: PathBuf,
    pub database_url: Secret,
    pub database_replica_url: Secret,
    pub database_connections: u32,
    pub production: bool,
    pub log: String,
    pub log_format: LogFormat,
    pub metrics_token: Secret,
    pub session_days: u32,
    pub max_packs_per_order: u32,
    pub admin_emails: Vec<String>,
    pub rate_limit: OnOff,
    pub trusted_proxies: Vec<String>,
    pub google: Google,
    pub phonepe: PhonePe,
    pub shipping: Shipping,
    pub shiprocket: Shiprocket,
    pub stock: Stock,
    pub mail: Mail,
    pub pictures: Pictures,
    pub sandbox: Sandbox,
    pub pincodes: Pincodes,
    pub telemetry: Telemetry,
    pub shop: ShopIdentity,
    pub tax: Tax,
}

/// What is wrong with the configuration, with the key.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

fn config_error(key: &str, why: impl std::fmt::Display) -> ConfigError {
    ConfigError(format!("configuration key {key}: {why}"))
}

impl Config {
    pub fn load(flags: &Flags) -> Result<Config, ConfigError> {
        Config::from_sources(flags, &layers::read_environment(std::env::vars_os())?)
    }

    fn from_sources(
        flags: &Flags,
        environment: &BTreeMap<String, String>,
    ) -> Result<Config, ConfigError> {
        let mut settings: Table = DEFAULTS
            .parse()
            .map_err(|error| ConfigError(format!("the built-in defaults: {error}")))?;
        layers::reject_unknown_variables(&settings, environment)?;
        let file = flags
            .config
            .clone()
            .or_else(|| environment.get("MIRASA_CONFIG").map(PathBuf::from));
        if let Some(file) = file {
            let text = std::fs::read_to_string(&file).map_err(|error| {
                ConfigError(format!("configuration file {}: {error}", file.display()))
            })?;
            let own = layers::read_file(&text).map_err(|error| {
                ConfigError(format!("configuration file {}: {error}", file.display()))
            })?;
            layers::merge(&mut settings, own);
        }
        layers::apply_environment(&mut settings, "", environment)?;
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
        let database_url = flags.database_url.as_ref();
        flag(
            "database_url",
            database_url.map(|url| url.expose().to_owned()),
        );
        if flags.production {
            settings.insert("production".into(), Value::Boolean(true));
        }
        let config: Config = serde_path_to_error::deserialize(settings).map_err(|error| {
            let key = error.path().to_string();
            config_error(&key, error.into_inner().message())
        })?;
        config.validate()
    }

    fn validate(self) -> Result<Config, ConfigError> {
        self.database()?;
        self.database_replica()?;
        self.proxies()?;
        self.image_hosts()?;
        for (key, address) in [
            ("public_url", &self.public_url),
            ("google.issuer", &self.google.issuer),
            ("phonepe.payment_base", &self.phonepe.payment_base),
            ("phonepe.token_base", &self.phonepe.token_base),
            ("shiprocket.base_url", &self.shiprocket.base_url),
            ("pincodes.lookup_url", &self.pincodes.lookup_url),
            ("pictures.endpoint", &self.pictures.endpoint),
            ("telemetry.otlp_endpoint", &self.telemetry.otlp_endpoint),
        ] {
            let is_valid = address.is_empty()
                || url::Url::parse(address)
                    .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            if !is_valid {
                return Err(config_error(
                    key,
                    format!("{address:?} is not an http:// or https:// address"),
                ));
            }
        }
        let is_wrong = |address: &&String| !is_email_address(address);
        if let Some(address) = self.mail.notify_emails.iter().find(is_wrong) {
            return Err(config_error(
                "mail.notify_emails",
                format!("{address:?} is not an email address"),
            ));
        }
        if self.public_url.ends_with('/') {
            return Err(config_error("public_url", "must not end with a slash"));
        }
        if self.google.client_id.is_empty() != self.google.client_secret.is_empty() {
            return Err(config_error(
                "google.client_secret",
                "client_id and client_secret must both be set, or neither",
            ));
        }
        let phonepe = &self.phonepe;
        let lacks_a_secret = phonepe.client_secret.is_empty()
            || phonepe.webhook_username.is_empty()
            || phonepe.webhook_password.is_empty();
        if !phonepe.client_id.is_empty() && lacks_a_secret {
            return Err(config_error(
                "phonepe.client_secret",
                "client_secret, webhook_username and webhook_password must be set with client_id",
            ));
        }
        // Two requests in a row must end before the customer's request times out.
        if !(1..=12).contains(&phonepe.timeout_s) {
            return Err(config_error("phonepe.timeout_s", "must be from 1 to 12"));
        }
        self.check_shipping()?;
        let pictures = &self.pictures;
        let keys = [
            ("pictures.region", pictures.region.is_empty()),
            ("pictures.access_key", pictures.access_key.is_empty()),
            ("pictures.secret_key", pictures.secret_key.is_empty()),
        ];
        if let Some((key, _)) = keys.iter().find(|(_, is_empty)| *is_empty)
            && self.uses_s3_images()
        {
            return Err(config_error(key, "must be set with pictures.bucket"));
        }
        if !(1..=1000).contains(&self.database_connections) {
            return Err(config_error(
                "database_connections",
                "must be from 1 to 1000",
            ));
        }
        if !(1..=365).contains(&self.session_days) {
            return Err(config_error("session_days", "must be from 1 to 365"));
        }
        // A public demo shows all emails and payments, so it must not have those of real customers.
        if self.sandbox.public_demo && !(self.uses_sandbox_google() && self.uses_sandbox_phonepe())
        {
            return Err(config_error(
                "sandbox.public_demo",
                "a public demo needs the sandbox Google and the sandbox gateway; with a real provider it must be false",
            ));
        }
        self.tax_settings()?;
        if self.production {
            self.check_production()?;
        }
        Ok(self)
    }

    pub fn uses_sandbox_phonepe(&self) -> bool {
        self.phonepe.client_id.is_empty()
    }

    pub fn uses_s3_images(&self) -> bool {
        !self.pictures.bucket.is_empty()
    }

    pub fn uses_sandbox_mail(&self) -> bool {
        self.mail.smtp_url.is_empty()
    }

    pub fn uses_sandbox_google(&self) -> bool {
        self.google.client_id.is_empty()
    }

    pub fn proxies(&self) -> Result<Vec<IpNet>, ConfigError> {
        let read = |text: &String| {
            let one = text.parse::<IpAddr>().map(IpNet::from);
            one.or_else(|_| text.parse()).map_err(|_| {
                let why = format!("{text:?} is neither an address nor a network like 10.0.0.0/8");
                config_error("trusted_proxies", why)
            })
        };
        self.trusted_proxies.iter().map(read).collect()
    }

    pub fn database(&self) -> Result<DatabaseUrl, ConfigError> {
        if self.database_url.is_empty() {
            return Ok(DatabaseUrl::Sqlite(self.data.join("mirasa.db")));
        }
        self.database_url
            .expose()
            .parse()
            .map_err(|why| config_error("database_url", why))
    }

    /// None: all reads are from the database itself.
    pub fn database_replica(&self) -> Result<Option<DatabaseUrl>, ConfigError> {
        if self.database_replica_url.is_empty() {
            return Ok(None);
        }
        let failed = |why: &str| config_error("database_replica_url", why);
        let url = self.database_replica_url.expose().parse();
        let url: DatabaseUrl = url.map_err(|why: String| failed(&why))?;
        let are_postgres = [&url, &self.database()?]
            .iter()
            .all(|url| matches!(url, DatabaseUrl::Postgres(_)));
        if !are_postgres {
            return Err(failed("only PostgreSQL has replicas; SQLite needs none"));
        }
        Ok(Some(url))
    }
}

#[cfg(test)]
mod tests;
