//! The use cases of the shop, and the traits of the storage and the outside services that they need.
//!
//! A use case opens a transaction, loads, calls the domain, saves and commits. It does not call an outside service
//! while a transaction is open, and it depends on neither SQL nor HTTP.

pub mod cart;
pub mod catalogue;
pub mod customers;
pub mod emails;
pub mod error;
pub mod error_code;
pub mod invoices;
pub mod messages;
pub mod operations;
pub mod orders;
pub mod payments;
pub mod ports;
pub mod refunds;
pub mod reports;
pub mod repository;
pub mod request_key;
pub mod reviews;
pub mod runtime;
pub mod secret;
pub mod shipping;
pub mod stock;

use std::sync::Arc;

use crate::catalogue::Catalogue;
pub use crate::error::AppError;
pub use crate::error_code::{ErrorCode, ErrorKind};
use crate::orders::counts::OrderCountCache;
use crate::ports::clock::{Clock, IdGenerator};
use crate::ports::courier::Courier;
use crate::ports::identity::IdentityProvider;
use crate::ports::images::ImageStore;
use crate::ports::mail::Mailer;
use crate::ports::payment::PaymentGateway;
use crate::ports::pincodes::PincodeDirectory;
use crate::reports::visits::VisitCounts;
use crate::repository::Database;
use crate::shipping::ShippingSettings;
use crate::shipping::estimates::EstimateCache;
use crate::stock::SalesCache;

/// Everything that a use case needs. Each file of this crate adds the use cases of its subject as methods.
#[derive(Clone)]
pub struct Shop {
    pub db: Database,
    pub catalogue: Arc<Catalogue>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdGenerator>,
    pub identity: Arc<dyn IdentityProvider>,
    pub gateway: Arc<dyn PaymentGateway>,
    /// None: no delivery partner is integrated.
    pub courier: Option<Arc<dyn Courier>>,
    pub mailer: Arc<dyn Mailer>,
    pub images: Arc<dyn ImageStore>,
    pub pincodes: Arc<dyn PincodeDirectory>,
    pub settings: Arc<Settings>,
    pub order_counts: Arc<OrderCountCache>,
    pub estimates: Arc<EstimateCache>,
    pub visits: Arc<VisitCounts>,
    pub sales: Arc<SalesCache>,
}

/// The settings that use cases depend on.
#[derive(Debug, Clone)]
pub struct Settings {
    pub tax: invoices::TaxSettings,
    pub shipping: ShippingSettings,
    /// A product whose stock lasts fewer days is low.
    pub low_stock_days: u32,
    /// The name of the shop in emails.
    pub shop_name: String,
    /// The URL of the shop for customers, without a trailing slash.
    pub public_url: String,
    /// Lower-case email addresses of users who become admins when they sign in.
    pub admin_emails: Vec<String>,
    pub session_days: u32,
    /// 0 means that there is no limit.
    pub max_packs_per_order: u32,
    /// Where customers' replies to emails go.
    pub support_email: String,
    /// For customers' questions. May be empty.
    pub support_phone: String,
    /// Who gets an email about new messages, paid orders, failed refunds, problems, issues and low stock. May be empty.
    pub notify_emails: Vec<String>,
    /// Signs the links in emails. Shared by all instances and not stored in the database.
    pub link_secret: [u8; 32],
}

#[cfg(test)]
impl Settings {
    /// For tests: a shop whose name must be escaped in HTML.
    pub(crate) fn example() -> Settings {
        Settings {
            tax: invoices::TaxSettings::example(),
            shipping: ShippingSettings {
                tare_grams: 100,
                rule: mirasa_domain::shipment::CourierRule::Cheapest,
                unscanned_days: 4,
            },
            low_stock_days: 7,
            shop_name: "Mirasa & Daughters".into(),
            public_url: "https://shop.example".into(),
            admin_emails: Vec::new(),
            session_days: 30,
            max_packs_per_order: 0,
            support_email: "care@shop.example".into(),
            support_phone: "+91 20 5550 0142".into(),
            notify_emails: Vec::new(),
            link_secret: [0; 32],
        }
    }
}

impl Shop {
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The same shop without load shedding, for work that must be finished once it has begun, such as storing a response
    /// of the gateway.
    pub fn finishing(&self) -> Shop {
        Shop {
            db: self.db.without_load_shedding(),
            ..self.clone()
        }
    }
}
