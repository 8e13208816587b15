//! Builds the shop and its HTTP state from the configuration.

mod providers;

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::response::IntoResponse as _;
use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::catalogue::Catalogue;
use mirasa_app::orders::counts::OrderCountCache;
use mirasa_app::ports::clock::{Clock, IdGenerator, SystemClock, SystemIdGenerator};
use mirasa_app::secret::SharedSecret;
use mirasa_app::shipping::estimates::EstimateCache;
use mirasa_app::stock::SalesCache;
use mirasa_app::{Settings, Shop};
use mirasa_http::{ApiError, AppState, HttpSettings};
use mirasa_images::{ImageStoreSettings, ResizingImageStore, S3Settings};
use mirasa_sandbox::{identity as sandbox_google, mailbox};
use mirasa_store::{PoolSize, files};
use sha2::{Digest, Sha256};

use crate::config::{Config, OnOff};
use providers::{
    ProviderContext, courier, gateway, identity, mailer, pincodes, protect_control_pages,
};

/// The shop and the routes of its sandbox providers.
pub struct App {
    pub shop: Shop,
    pub site: AppState,
    pub sandbox: Router,
    pub images: Arc<ResizingImageStore>,
}

/// Where the shop takes the time and new ids from.
pub struct TimeAndIds {
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdGenerator>,
}

impl TimeAndIds {
    /// Those of the machine.
    pub fn system() -> TimeAndIds {
        TimeAndIds {
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIdGenerator),
        }
    }
}

pub async fn build(
    config: &Config,
    listen: SocketAddr,
    metrics: Option<PrometheusHandle>,
    TimeAndIds { clock, ids }: TimeAndIds,
) -> anyhow::Result<App> {
    // Fails if it is installed already: in tests several shops share one process.
    let _ = rustls::crypto::ring::default_provider().install_default();

    make_data_folder(config)?;
    let (url, replica) = (config.database()?, config.database_replica()?);
    let connections = PoolSize(config.database_connections);
    let db = mirasa_store::open_with_replica(&url, replica.as_ref(), connections)
        .await
        .context("cannot open the database")?;
    let images = Arc::new(image_store(config, &clock).await?);

    let public_url = if config.public_url.is_empty() {
        format!("http://{listen}")
    } else {
        config.public_url.clone()
    };
    let context = ProviderContext {
        public_url: public_url.clone(),
        own_url: format!("http://{}", loopback_if_unspecified(listen)),
        secret: sandbox_secret(config, &*ids),
        clock: clock.clone(),
        ids: ids.clone(),
    };
    let mut sandbox_routes = Router::new();
    let mut admin_emails = config.admin_emails.clone();
    if config.uses_sandbox_google() {
        admin_emails.push(sandbox_google::DEMO_ADMIN.into());
    }
    let identity = identity(config, &context, &mut sandbox_routes)?;
    let gateway = gateway(config, &context, &mut sandbox_routes)?;
    let courier = courier(config, &context, &mut sandbox_routes)?;
    let shop = Shop {
        db,
        catalogue: Arc::new(Catalogue::default()),
        clock,
        ids,
        identity,
        gateway,
        courier,
        mailer: mailer(config)?,
        images: images.clone(),
        pincodes: pincodes(config)?,
        settings: Arc::new(Settings {
            tax: config.tax_settings()?,
            shipping: config.shipping_settings(),
            low_stock_days: config.stock.low_days,
            shop_name: config.shop.name.clone(),
            public_url: public_url.clone(),
            admin_emails,
            session_days: config.session_days,
            max_packs_per_order: config.max_packs_per_order,
            support_email: config.shop.support_email.clone(),
            support_phone: config.shop.support_phone.clone(),
            notify_emails: config.mail.notify_emails.clone(),
            link_secret: shared_secret(config),
        }),
        order_counts: Arc::new(OrderCountCache::default()),
        visits: Arc::default(),
        estimates: Arc::new(EstimateCache::default()),
        sales: Arc::new(SalesCache::default()),
    };
    shop.catalogue
        .load(&shop.db, shop.now_ms())
        .await
        .context("cannot read the products")?;

    let mut identity = config.shop.clone();
    identity.public_url.clone_from(&public_url);
    identity.sandbox = config.uses_sandbox_google() || config.uses_sandbox_phonepe();
    identity.image_hosts = config.image_hosts()?;
    let settings = HttpSettings {
        public_url,
        production: config.production,
        identity,
        metrics_token: SharedSecret::new(config.metrics_token.expose()),
        payment_origins: Vec::new(),
        rate_limit: config.rate_limit == OnOff::On,
        shared_secret: shared_secret(config),
        trusted_proxies: config.proxies()?,
    };
    let site = AppState::new(shop.clone(), settings, metrics);
    if config.uses_sandbox_mail() {
        let error_response = |error| ApiError(error).into_response();
        let mailbox = mailbox::router(shop.clone(), error_response);
        sandbox_routes = sandbox_routes.merge(protect_control_pages(config, mailbox));
    }
    Ok(App {
        site,
        shop,
        sandbox: sandbox_routes,
        images,
    })
}

/// Other users of the machine must not read customers' data.
fn make_data_folder(config: &Config) -> anyhow::Result<()> {
    let folder = &config.data;
    let failed = || format!("cannot use the data folder {}", folder.display());
    files::create_private_folder(folder).with_context(failed)?;
    if let Some(mode) = files::mode_open_to_others(folder).with_context(failed)? {
        let (folder, mode) = (folder.display(), format!("{mode:o}"));
        tracing::warn!(%folder, mode, "other users can read the data folder; chmod 700 prevents it");
    }
    Ok(())
}

async fn image_store(
    config: &Config,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<ResizingImageStore> {
    let folder = config.data.join("pictures");
    if !config.uses_s3_images() {
        return ResizingImageStore::new(ImageStoreSettings::in_folder(folder))
            .context("cannot open the image folder");
    }
    let pictures = &config.pictures;
    let settings = S3Settings {
        bucket: pictures.bucket.clone(),
        endpoint: pictures.endpoint.clone(),
        region: pictures.region.clone(),
        access_key: pictures.access_key.expose().to_owned(),
        secret_key: pictures.secret_key.expose().to_owned(),
        folder,
        clock: Arc::clone(clock),
    };
    ResizingImageStore::with_s3(settings)
        .await
        .context("cannot use the S3 bucket for images")
}

/// The address at which the server reaches itself. A wildcard address includes loopback.
fn loopback_if_unspecified(listen: SocketAddr) -> SocketAddr {
    let mut address = listen;
    if listen.ip().is_unspecified() {
        address.set_ip(if listen.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        });
    }
    address
}

fn sandbox_secret(config: &Config, ids: &dyn IdGenerator) -> [u8; 32] {
    if config.sandbox.secret.is_empty() {
        ids.random_bytes()
    } else {
        Sha256::digest(config.sandbox.secret.expose()).into()
    }
}

/// Derived from a secret that all instances have. A demo with one instance may have none.
fn shared_secret(config: &Config) -> [u8; 32] {
    let secret = if config.uses_sandbox_google() {
        &config.sandbox.secret
    } else {
        &config.google.client_secret
    };
    Sha256::digest(secret.expose()).into()
}
