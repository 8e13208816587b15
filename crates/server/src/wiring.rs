//! Puts the shop together from its parts.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::catalogue::Catalogue;
use mirasa_app::ports::clock::{Clock, Ids, SystemClock, SystemIds};
use mirasa_app::ports::identity::IdentityProvider;
use mirasa_app::ports::pincodes::PincodeDirectory;
use mirasa_app::{Settings, Shop};
use mirasa_gateways::identity::{GoogleSettings, GoogleSignIn};
use mirasa_gateways::identity::sandbox::{self, SandboxGoogle, SandboxSettings};
use mirasa_gateways::pictures::{LocalShelf, ShelfSettings};
use mirasa_gateways::pincodes::{RemotePincodes, TablePincodes};
use mirasa_http::{Site, SiteSettings};
use mirasa_store::PoolSize;
use sha2::{Digest, Sha256};

use crate::config::{Config, Switch};

const DEMO_ADMIN: &str = "admin@mirasa.example";

/// The shop and the routes of its sandbox providers.
pub struct Assembled {
    pub shop: Shop,
    pub site: Site,
    pub sandbox: Router,
    pub shelf: Arc<LocalShelf>,
}

pub async fn assemble(
    config: &Config,
    listen: SocketAddr,
    metrics: Option<PrometheusHandle>,
) -> anyhow::Result<Assembled> {
    // Whoever comes first installs it; in tests several shops share one process.
    let _ = rustls::crypto::ring::default_provider().install_default();

    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ids: Arc<dyn Ids> = Arc::new(SystemIds);
    let db = mirasa_store::open(&config.database()?, PoolSize(config.database_connections))
        .await
        .context("cannot open the database")?;
    let shelf = Arc::new(
        LocalShelf::new(ShelfSettings::in_folder(config.data.join("pictures")))
            .context("cannot open the pictures' folder")?,
    );

    let public_url = if config.public_url.is_empty() {
        format!("http://{listen}")
    } else {
        config.public_url.clone()
    };
    let mut sandbox_routes = Router::new();
    let mut admin_emails = config.admin_emails.clone();
    let identity: Arc<dyn IdentityProvider> = if config.uses_sandbox_google() {
        let provider = SandboxGoogle::new(
            SandboxSettings {
                public_url: public_url.clone(),
                shop_name: config.shop.name.clone(),
                secret: sandbox_secret(config, &*ids),
            },
            clock.clone(),
            ids.clone(),
        );
        sandbox_routes = sandbox_routes.nest(sandbox::PATH, provider.router());
        admin_emails.push(DEMO_ADMIN.into());
        let own_address = format!("http://{}", reachable(listen));
        Arc::new(GoogleSignIn::new(
            provider.client_settings(Some(&own_address)),
            clock.clone(),
            ids.clone(),
        )?)
    } else {
        let google = &config.google;
        let settings = GoogleSettings {
            issuer: google.issuer.clone(),
            client_id: google.client_id.clone(),
            client_secret: google.client_secret.clone(),
            prompt: (!google.prompt.is_empty()).then(|| google.prompt.clone()),
            reach_at: None,
            timeout: GoogleSettings::TIMEOUT,
        };
        Arc::new(GoogleSignIn::new(settings, clock.clone(), ids.clone())?)
    };

    let shop = Shop {
        db,
        catalogue: Arc::new(Catalogue::default()),
        clock,
        ids,
        identity,
        pictures: shelf.clone(),
        pincodes: pincodes(config)?,
        settings: Arc::new(Settings {
            public_url: public_url.clone(),
            admin_emails,
            session_days: config.session_days,
        }),
    };
    shop.catalogue
        .load(&shop.db, shop.now_ms())
        .await
        .context("cannot read the products")?;

    let mut identity = config.shop.clone();
    identity.public_url.clone_from(&public_url);
    identity.sandbox = config.uses_sandbox_google();
    let settings = SiteSettings {
        public_url,
        production: config.production,
        identity,
        metrics_token: config.metrics_token.clone(),
        payment_origins: Vec::new(),
        rate_limit: config.rate_limit == Switch::On,
        trusted_proxies: config.proxies()?,
    };
    Ok(Assembled {
        site: Site::new(shop.clone(), settings, metrics),
        shop,
        sandbox: sandbox_routes,
        shelf,
    })
}

/// Where this program reaches itself: a wildcard address is heard on loopback too.
fn reachable(listen: SocketAddr) -> SocketAddr {
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

fn sandbox_secret(config: &Config, ids: &dyn Ids) -> [u8; 32] {
    if config.sandbox.secret.is_empty() {
        ids.random()
    } else {
        Sha256::digest(config.sandbox.secret.as_bytes()).into()
    }
}

fn pincodes(config: &Config) -> anyhow::Result<Arc<dyn PincodeDirectory>> {
    if config.pincodes.lookup_url.is_empty() {
        return Ok(Arc::new(TablePincodes));
    }
    Ok(Arc::new(RemotePincodes::new(
        reqwest::Client::new(),
        config.pincodes.lookup_url.parse()?,
    )))
}
