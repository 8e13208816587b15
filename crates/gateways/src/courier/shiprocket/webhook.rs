//! Shiprocket's webhooks. Nothing signs the body, so only the numbers of the parcel to poll are taken from it.

use mirasa_app::ports::courier::CourierWebhook;
use mirasa_app::ports::payment::WebhookError;
use serde_json::Value;

use super::wire::{integer, is_tracking_number, text};

const MAX_WEBHOOK_BYTES: usize = 256 * 1024;

pub(super) fn parse(body: &[u8]) -> Result<CourierWebhook, WebhookError> {
    if body.len() > MAX_WEBHOOK_BYTES {
        return Err(WebhookError::Malformed);
    }
    let body: Value = serde_json::from_slice(body).map_err(|_| WebhookError::Malformed)?;
    let tracking_number = text(&body["awb"]).filter(|number| is_tracking_number(number));
    let partner_order_id = integer(&body["sr_order_id"]);
    if tracking_number.is_none() && partner_order_id.is_none() {
        return Err(WebhookError::Malformed);
    }
    Ok(CourierWebhook {
        tracking_number: tracking_number.unwrap_or_default(),
        partner_order_id,
    })
}
