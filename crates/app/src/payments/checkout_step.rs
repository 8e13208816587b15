//! The result of a checkout's transaction: what has to be done after it.

use mirasa_domain::address::Pincode;
use mirasa_domain::payment::{AttemptId, PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

/// Longer than a payment page takes to create. The request that created an older attempt has died.
const CREATE_PAYMENT_TIMEOUT_MS: i64 = 14_000;

/// The payment page to redirect the customer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutRedirect {
    pub redirect_url: String,
    pub merchant_order_id: AttemptId,
}

pub(super) enum CheckoutStep {
    /// The same unpaid order has a payment page already.
    Redirect(CheckoutRedirect),
    /// A discount made the order free, so it is paid already. The redirect leads to the result of the payment. The stock
    /// that remains is shown in the catalogue.
    Paid(CheckoutRedirect, Vec<(ProductId, Stock)>),
    /// Request a payment page for this attempt. The stock that remains is shown in the catalogue.
    CreatePayment(PaymentAttempt, Vec<(ProductId, Stock)>),
    /// Another request, such as a second click or another tab, is creating this order's page.
    WaitForOtherRequest,
    /// These pending orders may have been paid without the server knowing it yet. They are polled before they are
    /// replaced; otherwise the customer could pay twice for the same cart.
    PollPending(Vec<AttemptId>),
    /// The delivery partner has not been asked about the pincode of the address.
    AskAboutPincode(Pincode),
}

pub(super) fn is_opening(attempt: &PaymentAttempt, now_ms: i64) -> bool {
    attempt.state == PaymentAttemptState::Opening
        && now_ms < attempt.created_at_ms + CREATE_PAYMENT_TIMEOUT_MS
}
