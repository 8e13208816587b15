//! PhonePe's webhooks. The header is a shared secret and does not sign the body, so only the id of
//! the payment or refund to query is taken from it.

use mirasa_app::ports::payment::{WebhookError, WebhookEvent};
use mirasa_app::secret::SharedSecret;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::refund::RefundId;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::is_valid_merchant_id;

const MAX_WEBHOOK_BYTES: usize = 256 * 1024;

#[derive(Deserialize)]
struct WebhookBody {
    event: String,
    #[serde(default)]
    payload: Value,
}

pub(super) fn authorization_value(username: &str, password: &str) -> SharedSecret {
    SharedSecret::new(base16ct::lower::encode_string(&Sha256::digest(format!(
        "{username}:{password}"
    ))))
}

pub(super) fn parse(
    expected: &SharedSecret,
    authorization: Option<&str>,
    body: &[u8],
) -> Result<WebhookEvent, WebhookError> {
    if !expected.matches(authorization.unwrap_or_default()) {
        return Err(WebhookError::Unauthenticated);
    }
    if body.len() > MAX_WEBHOOK_BYTES {
        return Err(WebhookError::Malformed);
    }
    let webhook: WebhookBody = serde_json::from_slice(body).map_err(|_| WebhookError::Malformed)?;
    let merchant_id = |name: &str| {
        webhook.payload[name]
            .as_str()
            .filter(|merchant_id| is_valid_merchant_id(merchant_id))
            .map(str::to_owned)
            .ok_or(WebhookError::Malformed)
    };
    match webhook.event.as_str() {
        "checkout.order.completed" | "checkout.order.failed" => Ok(WebhookEvent::Payment {
            merchant_order_id: AttemptId(merchant_id("merchantOrderId")?),
        }),
        "pg.refund.accepted" | "pg.refund.completed" | "pg.refund.failed" => {
            Ok(WebhookEvent::Refund {
                merchant_refund_id: RefundId(merchant_id("merchantRefundId")?),
            })
        }
        // Includes checkout.transaction.attempt.failed: the customer can try again on the same
        // page.
        _ => Ok(WebhookEvent::Other),
    }
}
