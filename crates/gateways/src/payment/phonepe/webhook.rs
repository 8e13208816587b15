//! PhonePe's own call. Its header is a shared secret and signs nothing of the body, so all that is
//! taken from it is which payment or refund to ask about.

use mirasa_app::ports::payment::{WebhookError, WebhookEvent};
use mirasa_app::secret::SharedSecret;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::is_merchant_number;

const LARGEST: usize = 256 * 1024;

#[derive(Deserialize)]
struct Call {
    event: String,
    #[serde(default)]
    payload: Value,
}

pub(super) fn signature(username: &str, password: &str) -> SharedSecret {
    SharedSecret::new(base16ct::lower::encode_string(&Sha256::digest(format!(
        "{username}:{password}"
    ))))
}

pub(super) fn read(
    signature: &SharedSecret,
    authorization: Option<&str>,
    body: &[u8],
) -> Result<WebhookEvent, WebhookError> {
    if !signature.matches(authorization.unwrap_or_default()) {
        return Err(WebhookError::Unauthenticated);
    }
    if body.len() > LARGEST {
        return Err(WebhookError::Malformed);
    }
    let call: Call = serde_json::from_slice(body).map_err(|_| WebhookError::Malformed)?;
    let number = |name: &str| {
        call.payload[name]
            .as_str()
            .filter(|number| is_merchant_number(number))
            .map(str::to_owned)
            .ok_or(WebhookError::Malformed)
    };
    match call.event.as_str() {
        "checkout.order.completed" | "checkout.order.failed" => Ok(WebhookEvent::Payment {
            merchant_order_id: number("merchantOrderId")?,
        }),
        "pg.refund.accepted" | "pg.refund.completed" | "pg.refund.failed" => {
            Ok(WebhookEvent::Refund {
                merchant_refund_id: number("merchantRefundId")?,
            })
        }
        // checkout.transaction.attempt.failed too: the shopper may try again on the same page.
        _ => Ok(WebhookEvent::Other),
    }
}
