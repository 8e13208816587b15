//! What `production = true` rejects: sandboxes and demo settings, and connections that would send a secret without
//! encryption.

use url::Url;

use super::tax::DEMO_GSTIN;
use super::{Config, ConfigError, OnOff, TaxRegistration, config_error};

impl Config {
    pub(super) fn check_production(&self) -> Result<(), ConfigError> {
        self.check_providers()?;
        if !self.public_url.starts_with("https://") {
            return Err(config_error(
                "public_url",
                "in production it must begin with https://",
            ));
        }
        if self.admin_emails.is_empty() {
            return Err(config_error(
                "admin_emails",
                "in production at least one admin must be named",
            ));
        }
        if self.tax.gstin == DEMO_GSTIN && self.tax.registration != TaxRegistration::Unregistered {
            return Err(config_error(
                "tax.gstin",
                "in production the demo's number may not be used; set your own, or tax.registration",
            ));
        }
        if self.rate_limit == OnOff::Off {
            return Err(config_error("rate_limit", "in production it must be on"));
        }
        self.check_encryption()
    }

    fn check_providers(&self) -> Result<(), ConfigError> {
        if self.uses_sandbox_google() {
            return Err(config_error(
                "google.client_id",
                "in production the sandbox Google may not be on; set client_id and client_secret",
            ));
        }
        if self.uses_sandbox_phonepe() {
            return Err(config_error(
                "phonepe.client_id",
                "in production the sandbox gateway may not be on; set PhonePe's client_id and client_secret",
            ));
        }
        if self.uses_sandbox_mail() {
            return Err(config_error(
                "mail.smtp_url",
                "in production emails must be sent; name an SMTP server",
            ));
        }
        Ok(())
    }

    fn check_encryption(&self) -> Result<(), ConfigError> {
        for (key, url) in [
            ("google.issuer", &self.google.issuer),
            ("phonepe.payment_base", &self.phonepe.payment_base),
            ("phonepe.token_base", &self.phonepe.token_base),
            ("shiprocket.base_url", &self.shiprocket.base_url),
        ] {
            if !url.starts_with("https://") {
                return Err(config_error(
                    key,
                    "in production it must begin with https://",
                ));
            }
        }
        if sends_password_in_clear(self.mail.smtp_url.expose()) {
            return Err(config_error(
                "mail.smtp_url",
                "in production a password needs TLS; use smtps:// or add ?tls=required",
            ));
        }
        if self.database()?.crosses_network_in_clear() {
            return Err(config_error(
                "database_url",
                "in production a PostgreSQL on another machine needs TLS; add ?sslmode=verify-full",
            ));
        }
        let replica = self.database_replica()?;
        if replica.is_some_and(|url| url.crosses_network_in_clear()) {
            return Err(config_error(
                "database_replica_url",
                "in production a PostgreSQL on another machine needs TLS; add ?sslmode=verify-full",
            ));
        }
        Ok(())
    }
}

/// `smtp://` starts without TLS, and with `tls=opportunistic` the server can refuse TLS.
fn sends_password_in_clear(smtp_url: &str) -> bool {
    let Ok(url) = Url::parse(smtp_url) else {
        return false;
    };
    let requires_tls = url
        .query_pairs()
        .any(|(name, value)| name == "tls" && value == "required");
    url.scheme() == "smtp" && url.password().is_some() && !requires_tls
}
