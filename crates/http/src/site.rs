//! What every handler can reach.

use std::ops::Deref;
use std::sync::Arc;

use ipnet::IpNet;
use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::Shop;
use mirasa_app::secret::SharedSecret;

use crate::answers::AnswerBook;
use crate::assets::Template;
use crate::bodies::Bodies;
use crate::limits::Limits;
use crate::pages::PageBook;
use crate::renderer::Renderer;
use crate::shared_limits::SharedLimits;
use crate::turns::Turns;
use crate::upload_gate::UploadGate;
use crate::wire::shop::ShopIdentity;

pub struct SiteSettings {
    /// Where visitors reach the shop, without a slash at the end.
    pub public_url: String,
    pub production: bool,
    pub identity: ShopIdentity,
    /// Who may read /metrics; nobody may where it is empty.
    pub metrics_token: SharedSecret,
    /// Where a payment page may stand, for the Content-Security-Policy's form-action.
    pub payment_origins: Vec<String>,
    pub rate_limit: bool,
    /// What all instances of the shop know and its database does not.
    pub shared_secret: [u8; 32],
    /// Whose word on where a visitor comes from is believed.
    pub trusted_proxies: Vec<IpNet>,
}

/// Cheap to clone: one pointer.
#[derive(Clone)]
pub struct Site(Arc<Parts>);

pub struct Parts {
    /// What visitors do is refused when too many of them wait for the database.
    pub shop: Shop,
    pub settings: SiteSettings,
    pub answers: AnswerBook,
    pub pages: PageBook,
    pub template: Template,
    pub limits: Limits,
    pub shared_limits: SharedLimits,
    pub bodies: Bodies,
    pub checkouts: Turns,
    pub upload_gate: UploadGate,
    pub metrics: Option<PrometheusHandle>,
}

impl Site {
    pub fn new(shop: Shop, settings: SiteSettings, metrics: Option<PrometheusHandle>) -> Site {
        let template = Template::load(&settings);
        let renderer = Renderer::start();
        Site(Arc::new(Parts {
            answers: AnswerBook::new(&settings.identity),
            pages: PageBook::new(renderer),
            template,
            limits: Limits::default(),
            shared_limits: SharedLimits::new(settings.shared_secret),
            bodies: Bodies::default(),
            checkouts: Turns::default(),
            upload_gate: UploadGate::default(),
            shop: Shop {
                db: shop.db.for_visitors(),
                ..shop
            },
            settings,
            metrics,
        }))
    }

    pub fn is_https(&self) -> bool {
        self.settings.public_url.starts_with("https://")
    }
}

impl Deref for Site {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
