//! A delivery partner inside the server, for a shop without Shiprocket credentials: login, prices, parcels, tracking
//! numbers, labels, pickups, manifests, tracking and webhooks. It validates requests as Shiprocket does and fails as it does;
//! only no parcel is carried. On its page a parcel is moved by hand through its life.
//!
//! Every change is written to its own file before a response is sent, so that its state can be compared with the shop's
//! after a crash.

mod api;
mod fault_injection;
mod label;
mod middleware;
mod page;
mod rates;
mod representation;
mod state;
mod times;
mod transport;
mod webhooks;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use mirasa_app::ports::clock::{Clock, IdGenerator};
use sha2::{Digest, Sha256};

use fault_injection::{Endpoint, FaultInjector};
use state::CourierState;
use webhooks::WebhookSender;

use crate::tokens::Tokens;

/// Where the server nests the router.
pub const PATH: &str = "/sandbox/shiprocket";
/// The path of Shiprocket's API below it.
const API: &str = "/v1/external";
/// The shop's webhook endpoint.
const WEBHOOK_PATH: &str = "/api/courier/webhook";
const FILE_NAME: &str = "courier.jsonl";

pub struct SandboxSettings {
    /// Where the server reaches itself, such as `http://127.0.0.1:8080`.
    pub shop_base_url: String,
    /// The shop's URL for browsers: tracking links lead there.
    pub public_url: String,
    /// The shop's name on labels.
    pub shop_name: String,
    /// The nickname of the only pickup address.
    pub pickup_location: String,
    pub pickup_pincode: String,
    /// The password and the webhook's token are derived from it. It must be the same on every instance.
    pub secret: [u8; 32],
    /// The folder of `courier.jsonl`.
    pub folder: PathBuf,
}

impl std::fmt::Debug for SandboxSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxSettings")
            .field("shop_base_url", &self.shop_base_url)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("cannot open the sandbox courier's record in {0}")]
    Log(PathBuf, #[source] std::io::Error),
    #[error("no HTTP client for the sandbox courier's webhooks")]
    HttpClient(#[source] reqwest::Error),
}

#[derive(Clone)]
pub struct SandboxCourier(Arc<Inner>);

struct Inner {
    credentials: Credentials,
    /// Base URL of labels and manifests.
    files_url: String,
    tracking_url: String,
    shop_name: String,
    pickup_location: String,
    pickup_pincode: String,
    /// Makes the URLs of labels unguessable.
    file_key: String,
    tokens: Tokens,
    state: Mutex<CourierState>,
    faults: FaultInjector,
    webhooks: WebhookSender,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

/// What a client of this partner needs.
#[derive(Clone)]
pub struct Credentials {
    /// Base URL of the API.
    pub base_url: String,
    pub email: String,
    pub password: String,
    pub webhook_token: String,
}

/// Contains no secrets.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

impl SandboxCourier {
    /// Restores the state that an earlier run has written.
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<SandboxCourier, SandboxError> {
        let derive = |purpose: &str| {
            let digest = Sha256::new()
                .chain_update(settings.secret)
                .chain_update(format!("sandbox shiprocket: {purpose}"));
            base16ct::lower::encode_string(&digest.finalize())
        };
        let shop = settings.shop_base_url.trim_end_matches('/');
        let public = settings.public_url.trim_end_matches('/');
        let credentials = Credentials {
            base_url: format!("{shop}{PATH}{API}"),
            email: "api@mirasa-sandbox.example".into(),
            password: derive("password"),
            webhook_token: derive("webhook token"),
        };
        let webhooks = WebhookSender::new(
            format!("{shop}{WEBHOOK_PATH}"),
            credentials.webhook_token.clone(),
        )
        .map_err(SandboxError::HttpClient)?;
        let state = open_state(&settings.folder)
            .map_err(|error| SandboxError::Log(settings.folder.clone(), error))?;
        Ok(SandboxCourier(Arc::new(Inner {
            files_url: format!("{shop}{PATH}/files"),
            tracking_url: format!("{public}{PATH}/tracking"),
            shop_name: settings.shop_name,
            pickup_location: settings.pickup_location,
            pickup_pincode: settings.pickup_pincode,
            file_key: derive("files"),
            credentials,
            tokens: Tokens::default(),
            state: Mutex::new(state),
            faults: FaultInjector::default(),
            webhooks,
            clock,
            ids,
        })))
    }

    pub fn credentials(&self) -> Credentials {
        self.0.credentials.clone()
    }

    /// To be nested at [`PATH`]. Sets its own headers.
    pub fn router(&self) -> Router {
        let protected = |route: MethodRouter<SandboxCourier>, endpoint: Endpoint| {
            let state = (self.clone(), endpoint);
            route.layer(from_fn_with_state(
                state,
                middleware::authenticate_and_inject,
            ))
        };
        let api = Router::new()
            .route("/auth/login", protected(post(api::log_in), Endpoint::Login))
            .route(
                "/auth/logout",
                protected(post(api::log_out), Endpoint::Login),
            )
            .route(
                "/courier/serviceability/",
                protected(get(api::serviceability), Endpoint::Serviceability),
            )
            .route(
                "/orders/create/adhoc",
                protected(post(api::create), Endpoint::Create),
            )
            .route("/orders", protected(get(api::search), Endpoint::Search))
            .route(
                "/orders/cancel",
                protected(post(api::cancel_orders), Endpoint::Cancel),
            )
            .route(
                "/orders/cancel/shipment/awbs",
                protected(post(api::cancel_transport), Endpoint::Cancel),
            )
            .route(
                "/courier/assign/awb",
                protected(post(transport::assign), Endpoint::Assign),
            )
            .route(
                "/courier/generate/label",
                protected(post(transport::label), Endpoint::Label),
            )
            .route(
                "/courier/generate/pickup",
                protected(post(transport::pickup), Endpoint::Pickup),
            )
            .route(
                "/manifests/generate",
                protected(post(transport::manifest), Endpoint::Manifest),
            )
            .route(
                "/manifests/print",
                protected(post(transport::print_manifest), Endpoint::Manifest),
            )
            .route(
                "/courier/track/awb/{awb}",
                protected(get(api::track), Endpoint::Track),
            );
        Router::new()
            .nest(API, api)
            .route("/files/{file}", get(transport::file))
            .route("/tracking/{awb}", get(page::tracking))
            .with_state(self.clone())
    }

    /// All parcels, the page that moves them, and the fault injection settings. To be nested beside the other router, for
    /// the operator of the shop only.
    pub fn control_router(&self) -> Router {
        Router::new()
            .route("/record", get(api::record))
            .route("/parcels", get(page::list))
            .route("/parcels/{awb}", post(page::move_parcel))
            .route("/switches", post(page::set_switch))
            .route(
                "/faults",
                get(fault_injection::get_settings)
                    .post(fault_injection::update_settings)
                    .delete(fault_injection::reset_settings),
            )
            .with_state(self.clone())
    }
}

impl Inner {
    /// Runs work on the state and returns its result when its changes are on disk. None if they cannot be written.
    fn with_state<T>(&self, work: impl FnOnce(&mut CourierState) -> T) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let result = work(&mut state);
        state.save().then_some(result)
    }

    fn file_name(&self, kind: &str, numbers: &str) -> String {
        let digest = Sha256::new()
            .chain_update(&self.file_key)
            .chain_update(format!("{kind} {numbers}"));
        let key = base16ct::lower::encode_string(&digest.finalize());
        format!("{kind}_{numbers}_{}.pdf", &key[..24])
    }
}

fn open_state(folder: &std::path::Path) -> std::io::Result<CourierState> {
    std::fs::create_dir_all(folder)?;
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .open(folder.join(FILE_NAME))?;
    let state = CourierState::open(file)?;
    // Makes the file's directory entry durable too.
    File::open(folder)?.sync_all()?;
    Ok(state)
}
