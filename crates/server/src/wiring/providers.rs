//! The outside services that the configuration selects: the real one or its sandbox.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use mirasa_app::ports::clock::{Clock, IdGenerator};
use mirasa_app::ports::courier::Courier;
use mirasa_app::ports::identity::IdentityProvider;
use mirasa_app::ports::mail::Mailer;
use mirasa_app::ports::payment::PaymentGateway;
use mirasa_app::ports::pincodes::PincodeDirectory;
use mirasa_gateways::courier::{BoxSize, Shiprocket, ShiprocketAccount, ShiprocketSettings};
use mirasa_gateways::identity::{GoogleSettings, GoogleSignIn};
use mirasa_gateways::mail::{NoopMailer, SmtpMailer};
use mirasa_gateways::payment::{PhonePe, PhonePeSettings};
use mirasa_gateways::pincodes::{EmbeddedPincodes, RemotePincodes};
use mirasa_sandbox::{
    courier as sandbox_courier, identity as sandbox_google, payment as sandbox_phonepe,
};

use crate::config::Config;

/// What the providers need to know about the server.
pub(super) struct ProviderContext {
    pub public_url: String,
    /// Where the server reaches itself.
    pub own_url: String,
    pub secret: [u8; 32],
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdGenerator>,
}

pub(super) fn identity(
    config: &Config,
    context: &ProviderContext,
    sandbox_routes: &mut Router,
) -> anyhow::Result<Arc<dyn IdentityProvider>> {
    let settings = if config.uses_sandbox_google() {
        let provider = sandbox_google::SandboxGoogle::new(
            sandbox_google::SandboxSettings {
                public_url: context.public_url.clone(),
                shop_name: config.shop.name.clone(),
                secret: context.secret,
            },
            context.clock.clone(),
            context.ids.clone(),
        )?;
        *sandbox_routes =
            std::mem::take(sandbox_routes).nest(sandbox_google::PATH, provider.router());
        let credentials = provider.credentials(Some(&context.own_url));
        GoogleSettings {
            issuer: credentials.issuer,
            client_id: credentials.client_id,
            client_secret: credentials.client_secret,
            prompt: None,
            internal_base_url: credentials.internal_base_url,
            timeout: GoogleSettings::TIMEOUT,
        }
    } else {
        let google = &config.google;
        GoogleSettings {
            issuer: google.issuer.clone(),
            client_id: google.client_id.clone(),
            client_secret: google.client_secret.expose().to_owned(),
            prompt: (!google.prompt.is_empty()).then(|| google.prompt.clone()),
            internal_base_url: None,
            timeout: GoogleSettings::TIMEOUT,
        }
    };
    Ok(Arc::new(GoogleSignIn::new(
        settings,
        context.clock.clone(),
        context.ids.clone(),
    )?))
}

pub(super) fn gateway(
    config: &Config,
    context: &ProviderContext,
    sandbox_routes: &mut Router,
) -> anyhow::Result<Arc<dyn PaymentGateway>> {
    let timeout = Duration::from_secs(config.phonepe.timeout_s);
    let settings = if config.uses_sandbox_phonepe() {
        let provider = sandbox_phonepe::SandboxGateway::new(
            sandbox_phonepe::SandboxSettings {
                public_url: context.public_url.clone(),
                shop_base_url: context.own_url.clone(),
                shop_name: config.shop.name.clone(),
                secret: context.secret,
                folder: config.data.clone(),
            },
            context.clock.clone(),
            context.ids.clone(),
        )?;
        let pages = provider
            .router()
            .merge(protect_control_pages(config, provider.control_router()));
        *sandbox_routes = std::mem::take(sandbox_routes).nest(sandbox_phonepe::PATH, pages);
        let credentials = provider.credentials();
        PhonePeSettings {
            payment_base: credentials.base_url.clone(),
            token_base: credentials.base_url,
            client_id: credentials.client_id,
            client_version: credentials.client_version,
            client_secret: credentials.client_secret,
            webhook_username: credentials.webhook_username,
            webhook_password: credentials.webhook_password,
            timeout,
        }
    } else {
        let phonepe = &config.phonepe;
        PhonePeSettings {
            payment_base: phonepe.payment_base.clone(),
            token_base: phonepe.token_base.clone(),
            client_id: phonepe.client_id.clone(),
            client_version: phonepe.client_version.clone(),
            client_secret: phonepe.client_secret.expose().to_owned(),
            webhook_username: phonepe.webhook_username.clone(),
            webhook_password: phonepe.webhook_password.expose().to_owned(),
            timeout,
        }
    };
    Ok(Arc::new(PhonePe::new(settings, context.clock.clone())?))
}

/// None: the shop has no delivery partner.
pub(super) fn courier(
    config: &Config,
    context: &ProviderContext,
    sandbox_routes: &mut Router,
) -> anyhow::Result<Option<Arc<dyn Courier>>> {
    let shiprocket = &config.shiprocket;
    let account = if config.uses_sandbox_courier() {
        let provider = sandbox_courier::SandboxCourier::new(
            sandbox_courier::SandboxSettings {
                shop_base_url: context.own_url.clone(),
                public_url: context.public_url.clone(),
                shop_name: config.shop.name.clone(),
                pickup_location: shiprocket.pickup_location.clone(),
                pickup_pincode: shiprocket.pickup_pincode.clone(),
                secret: context.secret,
                folder: config.data.clone(),
            },
            context.clock.clone(),
            context.ids.clone(),
        )?;
        let pages = provider
            .router()
            .merge(protect_control_pages(config, provider.control_router()));
        *sandbox_routes = std::mem::take(sandbox_routes).nest(sandbox_courier::PATH, pages);
        let credentials = provider.credentials();
        ShiprocketAccount {
            base_url: credentials.base_url,
            email: credentials.email,
            password: credentials.password,
            webhook_token: credentials.webhook_token,
        }
    } else if config.uses_shiprocket() {
        ShiprocketAccount {
            base_url: shiprocket.base_url.clone(),
            email: shiprocket.email.clone(),
            password: shiprocket.password.expose().to_owned(),
            webhook_token: shiprocket.webhook_token.expose().to_owned(),
        }
    } else {
        return Ok(None);
    };
    let settings = ShiprocketSettings {
        account,
        pickup_location: shiprocket.pickup_location.clone(),
        pickup_pincode: shiprocket.pickup_pincode.clone(),
        box_size: BoxSize {
            length_cm: config.shipping.box_length_cm,
            breadth_cm: config.shipping.box_breadth_cm,
            height_cm: config.shipping.box_height_cm,
        },
        timeout: Duration::from_secs(shiprocket.timeout_s),
    };
    Ok(Some(Arc::new(Shiprocket::new(
        settings,
        context.clock.clone(),
    )?)))
}

pub(super) fn mailer(config: &Config) -> anyhow::Result<Arc<dyn Mailer>> {
    if config.uses_sandbox_mail() {
        return Ok(Arc::new(NoopMailer));
    }
    Ok(Arc::new(SmtpMailer::new(
        config.mail.smtp_url.expose(),
        &config.mail.from,
    )?))
}

pub(super) fn pincodes(config: &Config) -> anyhow::Result<Arc<dyn PincodeDirectory>> {
    if config.pincodes.lookup_url.is_empty() {
        return Ok(Arc::new(EmbeddedPincodes));
    }
    Ok(Arc::new(RemotePincodes::new(
        reqwest::Client::new(),
        config.pincodes.lookup_url.parse()?,
    )))
}

/// Pages of a sandbox that show the data of all users, or change the behaviour for all.
pub(super) fn protect_control_pages(config: &Config, pages: Router) -> Router {
    if config.sandbox.public_demo {
        pages
    } else {
        mirasa_http::local_only(pages)
    }
}
