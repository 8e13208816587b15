//! The configuration of this crate.

pub mod shop;

use ipnet::IpNet;
use mirasa_app::secret::SharedSecret;

use crate::settings::shop::ShopIdentity;

pub struct HttpSettings {
    /// The base URL of the shop, without a slash at the end.
    pub public_url: String,
    pub production: bool,
    pub identity: ShopIdentity,
    /// The token for /metrics. If it is empty, /metrics cannot be read.
    pub metrics_token: SharedSecret,
    /// The origins of payment pages, for form-action in the Content-Security-Policy.
    pub payment_origins: Vec<String>,
    pub rate_limit: bool,
    /// Shared by all instances and not stored in the database.
    pub shared_secret: [u8; 32],
    /// Proxies whose X-Forwarded-For is trusted.
    pub trusted_proxies: Vec<IpNet>,
}

impl HttpSettings {
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}
