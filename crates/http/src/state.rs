//! The state that handlers share.

use std::ops::Deref;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::Shop;

use crate::assets::Template;
use crate::cache::response_cache::ResponseCache;
use crate::guard::body_limits::BodyLimiter;
use crate::guard::checkout_queue::CheckoutQueue;
use crate::guard::rate_limit::limiter::RateLimiter;
use crate::guard::rate_limit::shared::SharedRateLimiter;
use crate::guard::upload_gate::UploadGate;
use crate::pages::page_cache::PageCache;
use crate::pages::renderer::Renderer;
use crate::settings::HttpSettings;

/// Cheap to clone: one pointer.
#[derive(Clone)]
pub struct AppState(Arc<AppStateInner>);

pub struct AppStateInner {
    /// With a database handle that sheds load when too many requests wait.
    pub shop: Shop,
    pub settings: HttpSettings,
    pub response_cache: Arc<ResponseCache>,
    pub renderer: Renderer,
    pub page_cache: PageCache,
    pub template: Template,
    pub rate_limiter: RateLimiter,
    pub shared_limits: SharedRateLimiter,
    pub body_limiter: Arc<BodyLimiter>,
    pub checkout_queue: CheckoutQueue,
    pub upload_gate: UploadGate,
    pub metrics: Option<PrometheusHandle>,
}

impl AppState {
    pub fn new(shop: Shop, settings: HttpSettings, metrics: Option<PrometheusHandle>) -> AppState {
        AppState(Arc::new(AppStateInner {
            response_cache: Arc::new(ResponseCache::new(&settings.identity)),
            renderer: Renderer::start(),
            page_cache: PageCache::default(),
            template: Template::load(&settings),
            rate_limiter: RateLimiter::default(),
            shared_limits: SharedRateLimiter::new(settings.shared_secret),
            body_limiter: Arc::default(),
            checkout_queue: CheckoutQueue::default(),
            upload_gate: UploadGate::default(),
            shop: Shop {
                db: shop.db.for_visitors(),
                ..shop
            },
            settings,
            metrics,
        }))
    }
}

impl Deref for AppState {
    type Target = AppStateInner;
    fn deref(&self) -> &AppStateInner {
        &self.0
    }
}
