//! The payment gateway: asks it for a payment page, for the state of a payment, for a refund. Its
//! protocol is PhonePe's Standard Checkout; the words here are the shop's.

use async_trait::async_trait;
use mirasa_domain::money::Paise;

#[async_trait]
pub trait PaymentGateway: Send + Sync {
    /// A page on which this attempt can be paid. May be asked again with the same attempt number after a
    /// failure of the network: then look at `status` first.
    async fn create_payment(&self, ask: CreatePaymentRequest) -> Result<PaymentPage, PaymentError>;

    /// What the gateway knows of an attempt. None if it has never heard of it.
    async fn payment_status(
        &self,
        merchant_order_id: &str,
    ) -> Result<Option<GatewayPayment>, PaymentError>;

    /// Gives the money back. Asking again with the same refund number changes nothing.
    async fn create_refund(&self, ask: RefundRequest) -> Result<GatewayRefund, PaymentError>;

    async fn refund_status(
        &self,
        merchant_refund_id: &str,
    ) -> Result<Option<GatewayRefund>, PaymentError>;

    /// Whether the gateway's own call carries the secret that both know. Its body is worth reading only then.
    fn is_signed(&self, authorization: Option<&str>) -> bool;

    /// Reads the gateway's own call. The header signs nothing of the body, so what it says is only a hint
    /// to look at `status`.
    fn parse_webhook(
        &self,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Result<WebhookEvent, WebhookError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePaymentRequest {
    /// New for every attempt: at most 63 of `[A-Za-z0-9_-]`.
    pub merchant_order_id: String,
    pub amount: Paise,
    /// Where the browser comes back to; already carries the attempt's number.
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
    /// Also whatever we do not know.
    Pending,
    Completed,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayPayment {
    pub state: GatewayPaymentState,
    pub amount: Paise,
    pub gateway_order_id: String,
    /// How it was paid (UPI_QR, CARD…), if it says.
    pub mode: Option<String>,
    pub transaction_id: Option<String>,
    /// Why it failed, in words for the shopper.
    pub error_message: Option<String>,
    pub error_code: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    pub merchant_refund_id: String,
    pub merchant_order_id: String,
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

/// Something happened to this attempt, or to this refund: go and look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookEvent {
    Payment {
        merchant_order_id: String,
    },
    Refund {
        merchant_refund_id: String,
    },
    /// An event of no interest, or one we do not know.
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
    /// The gateway said no, and will say no again.
    #[error("the payment gateway refused: {0}")]
    Rejected(String),
    /// Nobody knows whether it did what we asked.
    #[error("the payment gateway cannot be reached")]
    OutcomeUnknown(#[source] anyhow::Error),
}
