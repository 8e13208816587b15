//! The Shiprocket adapter. The API has no idempotency keys and reports some failures with status 200, so each response
//! counts as a success only if it has what the request was for.

mod errors;
mod http_client;
mod settings;
mod status;
mod times;
mod tokens;
mod webhook;
mod wire;

use std::sync::Arc;

use anyhow::anyhow;
use async_trait::async_trait;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::courier::{
    AssignedCourier, Courier, CourierError, CourierQuote, CourierWebhook, FoundParcel,
    ParcelRequest, Tracking,
};
use mirasa_app::ports::payment::WebhookError;
use mirasa_app::secret::SharedSecret;
use mirasa_domain::address::Pincode;
use mirasa_domain::ist;
use mirasa_domain::shipment::PartnerIds;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tracing::instrument;
use url::Url;

use errors::{into_courier_error, outcome_unknown, unavailable};
use http_client::{CourierHttp, HttpError};
pub use settings::{BoxSize, ShiprocketAccount, ShiprocketConfigError, ShiprocketSettings};
use tokens::TokenCache;
use wire::{integer, text};

/// Shiprocket's own limit.
const MAX_REFERENCE_CHARS: usize = 50;
const MAX_CITY_CHARS: usize = 30;

pub struct Shiprocket {
    base_url: String,
    http: CourierHttp,
    tokens: TokenCache,
    webhook_token: SharedSecret,
    pickup_location: String,
    pickup_pincode: String,
    box_size: BoxSize,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Shiprocket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shiprocket")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

impl Shiprocket {
    /// Sends no request yet. The first request logs in.
    pub fn new(
        settings: ShiprocketSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Shiprocket, ShiprocketConfigError> {
        let account = settings.account;
        let base_url = account.base_url.trim_end_matches('/').to_owned();
        let parsed = Url::parse(&base_url)
            .ok()
            .filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| ShiprocketConfigError::InvalidUrl(account.base_url.clone()))?;
        let http = CourierHttp::new(settings.timeout, &parsed)
            .map_err(ShiprocketConfigError::HttpClient)?;
        Ok(Shiprocket {
            tokens: TokenCache::new(
                format!("{base_url}/auth/login"),
                account.email,
                account.password,
                clock.clone(),
            ),
            base_url,
            http,
            webhook_token: SharedSecret::new(account.webhook_token),
            pickup_location: settings.pickup_location,
            pickup_pincode: settings.pickup_pincode,
            box_size: settings.box_size,
            clock,
        })
    }

    /// One request with a valid token. After 401 it logs in once and repeats the request once: an unauthenticated
    /// request has had no effect.
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, HttpError> {
        let url = format!("{}{path}", self.base_url);
        let token = self.tokens.get(&self.http).await?;
        let first = self.http.json(method.clone(), &url, &token, body).await;
        match first {
            Err(HttpError::Status {
                status: StatusCode::UNAUTHORIZED,
                ..
            }) => {
                let token = self.tokens.replace(&token, &self.http).await?;
                self.http.json(method, &url, &token, body).await
            }
            response => response,
        }
    }

    async fn get(&self, path: &str) -> Result<Value, CourierError> {
        self.send(Method::GET, path, None)
            .await
            .map_err(into_courier_error)
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, CourierError> {
        self.send(Method::POST, path, Some(body))
            .await
            .map_err(into_courier_error)
    }

    /// A file that a response names.
    async fn file(&self, url: Option<String>) -> Result<Vec<u8>, CourierError> {
        let url = url.ok_or_else(|| unavailable("the response has no file"))?;
        let bytes = self.http.file(&url).await.map_err(into_courier_error)?;
        if bytes.starts_with(b"%PDF-") {
            Ok(bytes)
        } else {
            Err(unavailable("the file is not a PDF"))
        }
    }

    fn order_json(&self, request: &ParcelRequest) -> Value {
        let address = &request.address;
        let items = request.items.iter().map(|item| {
            json!({
                "name": item.name,
                "sku": item.sku,
                "units": item.quantity,
                "selling_price": item.price.as_rupees(),
            })
        });
        let items: Vec<_> = items.collect();
        let (first, last) = address.name.split_once(' ').unwrap_or((&address.name, ""));
        let BoxSize {
            length_cm,
            breadth_cm,
            height_cm,
        } = self.box_size;
        json!({
            "order_id": request.reference,
            "order_date": times::format_minute(request.ordered_at_ms),
            "pickup_location": self.pickup_location,
            "billing_customer_name": first,
            "billing_last_name": last,
            "billing_address": address.line1,
            "billing_address_2": address.line2,
            "billing_city": address.city.chars().take(MAX_CITY_CHARS).collect::<String>(),
            "billing_pincode": address.pincode,
            "billing_state": address.state,
            "billing_country": "India",
            "billing_email": request.email,
            "billing_phone": address.phone.trim_start_matches("+91"),
            "shipping_is_billing": true,
            "order_items": items,
            "payment_method": "Prepaid",
            "sub_total": request.total.as_rupees(),
            "length": length_cm,
            "breadth": breadth_cm,
            "height": height_cm,
            "weight": kilograms(request.weight_grams),
        })
    }
}

#[async_trait]
impl Courier for Shiprocket {
    #[instrument(target = "telemetry", name = "shiprocket quotes", skip_all, err, fields(otel.kind = "client"))]
    async fn quotes(
        &self,
        to: Pincode,
        weight_grams: i64,
    ) -> Result<Vec<CourierQuote>, CourierError> {
        let BoxSize {
            length_cm,
            breadth_cm,
            height_cm,
        } = self.box_size;
        let path = format!(
            "/courier/serviceability/?pickup_postcode={}&delivery_postcode={}&cod=0&weight={}&length={length_cm}&breadth={breadth_cm}&height={height_cm}",
            self.pickup_pincode,
            to.get(),
            kilograms(weight_grams),
        );
        let response = match self.send(Method::GET, &path, None).await {
            Err(HttpError::Status {
                status: StatusCode::NOT_FOUND,
                body: Some(_),
            }) => return Ok(Vec::new()),
            response => response.map_err(into_courier_error)?,
        };
        if integer(&response["status"]) == Some(404) {
            return Ok(Vec::new());
        }
        // Without data the request was wrong, for example the pickup pincode. That is not "not served".
        let companies = response["data"]["available_courier_companies"].as_array();
        let companies = companies.ok_or_else(|| {
            let message = text(&response["message"]).unwrap_or_default();
            CourierError::Unavailable(anyhow!("no data about a pincode: {message}"))
        })?;
        let today = ist::day(self.clock.now_ms());
        Ok(companies
            .iter()
            .filter_map(|company| wire::quote(company, today))
            .collect())
    }

    #[instrument(target = "telemetry", name = "shiprocket find_parcel", skip_all, err, fields(otel.kind = "client"))]
    async fn find_parcel(&self, reference: &str) -> Result<Option<FoundParcel>, CourierError> {
        if !is_valid_reference(reference) {
            return Ok(None);
        }
        let path = format!("/orders?search={reference}&per_page=20");
        let response = self.get(&path).await?;
        let orders = response["data"]
            .as_array()
            .ok_or_else(|| outcome_unknown("the response to a search has no list"))?;
        // The search also finds orders that only contain the text.
        let mut found: Vec<_> = orders
            .iter()
            .filter(|order| text(&order["channel_order_id"]).as_deref() == Some(reference))
            .filter_map(wire::found_parcel)
            .collect();
        found.sort_by_key(|parcel| parcel.is_cancelled);
        Ok(found.into_iter().next())
    }

    #[instrument(target = "telemetry", name = "shiprocket create_parcel", skip_all, err, fields(otel.kind = "client"))]
    async fn create_parcel(&self, request: ParcelRequest) -> Result<PartnerIds, CourierError> {
        let reference = &request.reference;
        if !is_valid_reference(reference) {
            return Err(CourierError::Rejected(format!(
                "{reference} is not a reference"
            )));
        }
        let response = self
            .post("/orders/create/adhoc", &self.order_json(&request))
            .await?;
        let order = integer(&response["order_id"]);
        match order.zip(integer(&response["shipment_id"])) {
            Some((order, shipment)) => Ok(PartnerIds { order, shipment }),
            // With the locations that it knows: the configured one does not exist.
            None if !response["data"].is_null() => {
                Err(CourierError::Rejected(wire::message(&response)))
            }
            None => Err(outcome_unknown("the response to a parcel has no numbers")),
        }
    }

    #[instrument(target = "telemetry", name = "shiprocket assign", skip_all, err, fields(otel.kind = "client"))]
    async fn assign(
        &self,
        parcel: PartnerIds,
        courier_id: Option<i64>,
    ) -> Result<AssignedCourier, CourierError> {
        let mut body = json!({ "shipment_id": parcel.shipment });
        if let Some(courier_id) = courier_id {
            body["courier_id"] = json!(courier_id);
        }
        let response = self.post("/courier/assign/awb", &body).await?;
        let data = &response["response"]["data"];
        if integer(&response["awb_assign_status"]) == Some(1)
            && let Some(assigned) = wire::assigned(&data["awb_code"], &data["courier_name"])
        {
            return Ok(assigned);
        }
        let reason = text(&data["awb_assign_error"]);
        Err(CourierError::Rejected(
            reason.unwrap_or_else(|| wire::message(&response)),
        ))
    }

    #[instrument(target = "telemetry", name = "shiprocket label", skip_all, err, fields(otel.kind = "client"))]
    async fn label(&self, parcel: PartnerIds) -> Result<Vec<u8>, CourierError> {
        let body = json!({ "shipment_id": [parcel.shipment] });
        let response = self.post("/courier/generate/label", &body).await?;
        if integer(&response["label_created"]) != Some(1) {
            return Err(unavailable("the label was not created"));
        }
        self.file(text(&response["label_url"])).await
    }

    #[instrument(target = "telemetry", name = "shiprocket request_pickup", skip_all, err, fields(otel.kind = "client"))]
    async fn request_pickup(&self, parcel: PartnerIds) -> Result<Option<i64>, CourierError> {
        let body = json!({ "shipment_id": [parcel.shipment] });
        let response = self.post("/courier/generate/pickup", &body).await?;
        if integer(&response["pickup_status"]) != Some(1) {
            return Err(CourierError::Rejected(wire::message(&response)));
        }
        let date = text(&response["response"]["pickup_scheduled_date"]);
        Ok(date.and_then(|date| times::parse(&date)))
    }

    #[instrument(target = "telemetry", name = "shiprocket close_manifest", skip_all, err, fields(otel.kind = "client"))]
    async fn close_manifest(&self, parcel: PartnerIds) -> Result<(), CourierError> {
        let body = json!({ "shipment_id": [parcel.shipment] });
        let response = self
            .send(Method::POST, "/manifests/generate", Some(&body))
            .await;
        let response = match response {
            Err(HttpError::Status {
                body: Some(error), ..
            }) if !error["already_manifested_shipment_ids"].is_null() => return Ok(()),
            response => response.map_err(into_courier_error)?,
        };
        match text(&response["manifest_url"]) {
            Some(_) => Ok(()),
            None => Err(unavailable("the manifest was not created")),
        }
    }

    #[instrument(target = "telemetry", name = "shiprocket manifest", skip_all, err, fields(otel.kind = "client"))]
    async fn manifest(&self, parcels: &[PartnerIds]) -> Result<Vec<u8>, CourierError> {
        let orders: Vec<_> = parcels.iter().map(|parcel| parcel.order).collect();
        let response = self
            .post("/manifests/print", &json!({ "order_ids": orders }))
            .await?;
        self.file(text(&response["manifest_url"])).await
    }

    #[instrument(target = "telemetry", name = "shiprocket track", skip_all, err, fields(otel.kind = "client"))]
    async fn track(&self, tracking_number: &str) -> Result<Option<Tracking>, CourierError> {
        if !wire::is_tracking_number(tracking_number) {
            return Ok(None);
        }
        let response = self
            .get(&format!("/courier/track/awb/{tracking_number}"))
            .await?;
        let data = &response["tracking_data"];
        if data.is_null() {
            return Err(outcome_unknown("the response has no tracking data"));
        }
        if integer(&data["track_status"]) != Some(1) {
            return Ok(None);
        }
        Ok(Some(wire::tracking(data)))
    }

    #[instrument(target = "telemetry", name = "shiprocket cancel", skip_all, err, fields(otel.kind = "client"))]
    async fn cancel(
        &self,
        parcel: PartnerIds,
        tracking_number: Option<&str>,
    ) -> Result<(), CourierError> {
        if let Some(number) = tracking_number {
            let body = json!({ "awbs": [number] });
            self.post("/orders/cancel/shipment/awbs", &body).await?;
        }
        let body = json!({ "ids": [parcel.order] });
        self.post("/orders/cancel", &body).await.map(drop)
    }

    fn is_authentic(&self, key: Option<&str>) -> bool {
        self.webhook_token.matches(key.unwrap_or_default())
    }

    fn parse_webhook(
        &self,
        key: Option<&str>,
        body: &[u8],
    ) -> Result<CourierWebhook, WebhookError> {
        if !self.is_authentic(key) {
            return Err(WebhookError::Unauthenticated);
        }
        webhook::parse(body)
    }
}

/// `0.62`, for 620 g.
#[allow(clippy::cast_precision_loss)] // some kilograms
fn kilograms(grams: i64) -> f64 {
    grams as f64 / 1000.0
}

/// References are part of a URL.
fn is_valid_reference(text: &str) -> bool {
    (1..=MAX_REFERENCE_CHARS).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
