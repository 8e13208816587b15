//! PhonePe's responses and their mapping to the port's types. Every field may be missing, and
//! unknown fields are ignored.

use mirasa_app::ports::payment::{
    GatewayPayment, GatewayPaymentState, GatewayRefund, GatewayRefundState, PaymentPage,
};
use mirasa_domain::money::Paise;
use serde::{Deserialize, Deserializer};
use url::Url;

use super::failure_text;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatePaymentResponse {
    order_id: Option<String>,
    /// In milliseconds, unlike the token's timestamps, which are in seconds.
    expire_at: Option<i64>,
    redirect_url: Option<String>,
}

impl CreatePaymentResponse {
    /// The browser is redirected there, so only http and https URLs are accepted.
    pub(super) fn into_page(self) -> Option<PaymentPage> {
        let redirect_url = self.redirect_url.filter(|url| {
            Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
        })?;
        Some(PaymentPage {
            redirect_url,
            gateway_order_id: self.order_id?,
            expires_at_ms: self.expire_at?,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderStatusResponse {
    merchant_order_id: Option<String>,
    order_id: Option<String>,
    state: Option<String>,
    #[serde(default, deserialize_with = "paise")]
    amount: Option<Paise>,
    error_code: Option<String>,
    detailed_error_code: Option<String>,
    #[serde(default)]
    payment_details: Option<Vec<PaymentDetail>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentDetail {
    transaction_id: Option<String>,
    payment_mode: Option<String>,
    #[serde(default, deserialize_with = "paise")]
    amount: Option<Paise>,
    state: Option<String>,
    error_code: Option<String>,
    detailed_error_code: Option<String>,
}

impl OrderStatusResponse {
    pub(super) fn into_payment(self, expected_id: &str) -> Result<GatewayPayment, &'static str> {
        if self.merchant_order_id.is_some_and(|id| id != expected_id) {
            return Err("the payment gateway responded with about another order");
        }
        let state = payment_state(self.state.as_deref());
        let mut details = self.payment_details.unwrap_or_default();
        // Of several attempts on the page the paid one counts, otherwise the last.
        let relevant = details
            .iter()
            .position(|detail| {
                payment_state(detail.state.as_deref()) == GatewayPaymentState::Completed
            })
            .or(details.len().checked_sub(1));
        let detail = relevant.map(|at| details.swap_remove(at));
        let (mode, transaction_id, paid, detail_code, detail_detailed_code) = match detail {
            Some(detail) => (
                detail.payment_mode,
                detail.transaction_id,
                detail.amount,
                detail.error_code,
                detail.detailed_error_code,
            ),
            None => (None, None, None, None, None),
        };
        let amount = match (self.amount.or(paid), state) {
            (Some(amount), _) => amount,
            (None, GatewayPaymentState::Completed) => {
                return Err("the payment gateway says paid, but not how much");
            }
            (None, _) => Paise::ZERO,
        };
        let failed = state == GatewayPaymentState::Failed;
        let error_code = self.error_code.or(detail_code);
        let detailed = self.detailed_error_code.or(detail_detailed_code);
        Ok(GatewayPayment {
            state,
            amount,
            gateway_order_id: self.order_id.unwrap_or_default(),
            mode,
            transaction_id,
            error_message: failed.then(|| {
                failure_text::message_for(error_code.as_deref(), detailed.as_deref()).to_owned()
            }),
            error_code: error_code.or(detailed).filter(|_| failed),
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundResponse {
    state: Option<String>,
    #[serde(default, deserialize_with = "paise")]
    amount: Option<Paise>,
    error_code: Option<String>,
    detailed_error_code: Option<String>,
}

impl RefundResponse {
    pub(super) fn into_refund(self, requested: Option<Paise>) -> GatewayRefund {
        GatewayRefund {
            state: match self.state.as_deref() {
                Some("COMPLETED") => GatewayRefundState::Completed,
                Some("FAILED") => GatewayRefundState::Failed,
                // PENDING, CONFIRMED and unknown states.
                _ => GatewayRefundState::Pending,
            },
            amount: self.amount.or(requested).unwrap_or_default(),
            error_code: self.error_code.or(self.detailed_error_code),
        }
    }
}

fn payment_state(text: Option<&str>) -> GatewayPaymentState {
    match text {
        Some("COMPLETED") => GatewayPaymentState::Completed,
        Some("FAILED") => GatewayPaymentState::Failed,
        _ => GatewayPaymentState::Pending,
    }
}

/// Paise as a number or as text: PhonePe's documentation says "String" and its examples have
/// numbers.
fn paise<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Paise>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum NumberOrText {
        Number(i64),
        Text(String),
    }
    match Option::<NumberOrText>::deserialize(deserializer)? {
        None => Ok(None),
        Some(NumberOrText::Number(paise)) => Ok(Some(Paise::new(paise))),
        Some(NumberOrText::Text(text)) => text
            .parse()
            .map(|paise| Some(Paise::new(paise)))
            .map_err(serde::de::Error::custom),
    }
}
