//! The payment gateway: payment pages, states of payments, refunds and webhooks. The adapter speaks PhonePe's Standard
//! Checkout.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::refund::RefundId;

#[async_trait]
pub trait PaymentGateway: Send + Sync {
    /// Creates a payment page for an attempt.
    async fn create_payment(
        &self,
        request: CreatePaymentRequest,
    ) -> Result<PaymentPage, PaymentError>;

    /// The state of an attempt. None if the gateway does not know it.
    async fn payment_status(
        &self,
        merchant_order_id: &AttemptId,
    ) -> Result<Option<GatewayPayment>, PaymentError>;

    /// Refunds a payment. A repeated request with the same refund id has no effect.
    async fn create_refund(&self, request: RefundRequest) -> Result<GatewayRefund, PaymentError>;

    async fn refund_status(
        &self,
        merchant_refund_id: &RefundId,
    ) -> Result<Option<GatewayRefund>, PaymentError>;

    /// Whether the header of a webhook has the shared secret. The body is read only if it has.
    fn is_signed(&self, authorization: Option<&str>) -> bool;

    /// Parses a webhook. The header does not sign the body, so the event is used only as a trigger for a poll.
    fn parse_webhook(
        &self,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Result<WebhookEvent, WebhookError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePaymentRequest {
    /// New for every attempt: up to 63 characters of `[A-Za-z0-9_-]`.
    pub merchant_order_id: AttemptId,
    pub amount: Paise,
    /// The URL to which the gateway redirects the browser, with the merchant order id.
    pub redirect_url: String,
    pub message: String,
    pub expire_after_s: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentPage {
    pub redirect_url: String,
    pub gateway_order_id: String,
    pub expires_at_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GatewayPaymentState {
    /// Also for unknown states.
    Pending,
    Completed,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayPayment {
    pub state: GatewayPaymentState,
    pub amount: Paise,
    pub gateway_order_id: String,
    /// How it was paid (UPI_QR, CARD…), if reported.
    pub mode: Option<String>,
    pub transaction_id: Option<String>,
    /// Why it failed, as a message for the customer.
    pub error_message: Option<String>,
    pub error_code: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    pub merchant_refund_id: RefundId,
    pub merchant_order_id: AttemptId,
    pub amount: Paise,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GatewayRefundState {
    Pending,
    Completed,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayRefund {
    pub state: GatewayRefundState,
    pub amount: Paise,
    pub error_code: Option<String>,
}

/// The subject of a webhook. Its state must be polled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookEvent {
    Payment {
        merchant_order_id: AttemptId,
    },
    Refund {
        merchant_refund_id: RefundId,
    },
    /// An event that is not handled.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    #[error("not authenticated")]
    Unauthenticated,
    #[error("the webhook is not valid")]
    Malformed,
}

#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    /// The gateway rejected the request. A repetition would be rejected too.
    #[error("the payment gateway refused: {0}")]
    Rejected(String),
    /// The request failed or timed out, so the gateway may or may not have processed it.
    #[error("the payment gateway cannot be reached")]
    OutcomeUnknown(#[source] anyhow::Error),
}
