//! The sections of the configuration, with the choices that their keys have.

use serde::Deserialize;

use crate::secret::Secret;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnOff {
    On,
    Off,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Google {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
    pub prompt: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhonePe {
    pub payment_base: String,
    pub token_base: String,
    pub client_id: String,
    pub client_version: String,
    pub client_secret: Secret,
    pub webhook_username: String,
    pub webhook_password: Secret,
    /// Timeout of one request to the gateway.
    pub timeout_s: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipping {
    pub partner: PartnerChoice,
    pub courier_rule: CourierRule,
    pub tare_grams: u32,
    pub box_length_cm: u32,
    pub box_breadth_cm: u32,
    pub box_height_cm: u32,
    pub unscanned_days: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stock {
    pub low_days: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartnerChoice {
    Auto,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CourierRule {
    Cheapest,
    Fastest,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shiprocket {
    pub base_url: String,
    pub email: String,
    pub password: Secret,
    pub webhook_token: Secret,
    pub pickup_location: String,
    pub pickup_pincode: String,
    /// Timeout of one request to the partner.
    pub timeout_s: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    pub smtp_url: Secret,
    pub from: String,
    pub notify_emails: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    pub bucket: String,
    pub endpoint: String,
    pub region: String,
    pub access_key: Secret,
    pub secret_key: Secret,
    /// Not validated; `Config::image_hosts` returns the validated hosts.
    pub image_hosts: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    pub secret: Secret,
    /// Whether everyone may read the stored emails and change the fault injection of the sandbox gateway.
    pub public_demo: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pincodes {
    pub lookup_url: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    pub otlp_endpoint: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tax {
    pub registration: TaxRegistration,
    pub gstin: String,
    pub legal_name: String,
    pub address: String,
    pub state: String,
    pub hsn_digits: usize,
    /// `2103 5% from 2025-09-22`
    pub rates: Vec<String>,
    pub invoice_prefix: String,
    pub bill_of_supply_prefix: String,
    pub credit_note_prefix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaxRegistration {
    Registered,
    Composition,
    Unregistered,
}
