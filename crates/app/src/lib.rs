//! What people do in the shop, and the ports through which the shop reaches the world.
//!
//! A use case begins a transaction, loads, asks the domain, saves, commits. It never calls the
//! outside world with a transaction open, and it knows neither SQL nor HTTP.

pub mod addresses;
pub mod admin;
pub mod cart;
pub mod catalogue;
pub mod contact;
pub mod emails;
pub mod error;
pub mod error_code;
pub mod failpoints;
pub mod limits;
pub mod load_shedder;
pub mod order_counts;
pub mod orders;
pub mod payments;
pub mod ports;
pub mod privacy;
pub mod profile;
pub mod repository;
pub mod reservations;
pub mod secret;
pub mod sign_in;
pub mod supervision;
pub mod wishlist;
pub mod workers;

use std::sync::Arc;

pub use error::{AppError, ErrorKind};
pub use error_code::ErrorCode;

use crate::catalogue::Catalogue;
use crate::order_counts::OrderCountCache;
use crate::ports::clock::{Clock, IdGenerator};
use crate::ports::identity::IdentityProvider;
use crate::ports::images::ImageStore;
use crate::ports::mail::Mailer;
use crate::ports::payment::PaymentGateway;
use crate::ports::pincodes::PincodeDirectory;
use crate::repository::Database;

/// The shop: everything a use case may need. Each file of this crate adds the use cases of its
/// subject to it.
#[derive(Clone)]
pub struct Shop {
    pub db: Database,
    pub catalogue: Arc<Catalogue>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdGenerator>,
    pub identity: Arc<dyn IdentityProvider>,
    pub gateway: Arc<dyn PaymentGateway>,
    pub mailer: Arc<dyn Mailer>,
    pub pictures: Arc<dyn ImageStore>,
    pub pincodes: Arc<dyn PincodeDirectory>,
    pub settings: Arc<Settings>,
    pub order_counts: Arc<OrderCountCache>,
}

/// The settings that use cases depend on.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the shop calls itself in its letters.
    pub shop_name: String,
    /// Where visitors reach the shop, without a slash at the end.
    pub public_url: String,
    /// Lower-case e-mail addresses that become admins when they sign in.
    pub admin_emails: Vec<String>,
    pub session_days: u32,
    /// 0 means that there is no such limit.
    pub max_packs_per_order: u32,
}

impl Shop {
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// For what has begun and must be finished, such as writing down what the gateway has answered: it is
    /// not turned away because the shop is busy.
    pub fn finishing(&self) -> Shop {
        Shop {
            db: self.db.for_work_under_way(),
            ..self.clone()
        }
    }
}
