//! The contract between the adapter and PhonePe. Each test runs against the sandbox, whose page is
//! used as in a browser, and against the fake server.

use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::ports::clock::Clock as _;
use mirasa_app::ports::payment::{
    CreatePaymentRequest, GatewayPayment, GatewayPaymentState, GatewayRefundState,
    PaymentGateway as _, PaymentPage,
};
use mirasa_domain::money::Paise;
use serde_json::json;

use super::fake_server::FakeServer;
use super::sandbox_shop::SandboxShop;
use super::{
    AMOUNT, EXPIRE_AFTER_S, ManualClock, PhonePe, create_page, outcome_text, payment,
    payment_request, refund_request,
};

#[derive(Clone, Copy)]
enum Outcome {
    Paid,
    Failed,
    LeftPending,
}

#[async_trait]
trait TestGateway {
    fn phonepe(&self) -> &PhonePe;
    fn clock(&self) -> &Arc<ManualClock>;
    async fn finish(&self, number: &str, page: &PaymentPage, outcome: Outcome);
    async fn revoke_tokens(&self);
}

#[async_trait]
impl TestGateway for SandboxShop {
    fn phonepe(&self) -> &PhonePe {
        &self.phonepe
    }

    fn clock(&self) -> &Arc<ManualClock> {
        &self.clock
    }

    async fn finish(&self, _: &str, page: &PaymentPage, outcome: Outcome) {
        let outcome = match outcome {
            Outcome::Paid => "pay",
            Outcome::Failed => "fail",
            Outcome::LeftPending => "pending",
        };
        let fields = [("outcome", outcome), ("reason", "INSUFFICIENT_BALANCE")];
        let back = self.submit(&page.redirect_url, &fields).await;
        assert_eq!(back.status(), 303);
    }

    async fn revoke_tokens(&self) {
        self.inject_faults(json!({ "revoke_tokens": true })).await;
    }
}

struct FakeServerPeer(FakeServer, PhonePe);

#[async_trait]
impl TestGateway for FakeServerPeer {
    fn phonepe(&self) -> &PhonePe {
        &self.1
    }

    fn clock(&self) -> &Arc<ManualClock> {
        &self.0.clock
    }

    async fn finish(&self, number: &str, _: &PaymentPage, outcome: Outcome) {
        let paid =
            json!({ "paymentMode": "UPI_INTENT", "transactionId": "OM1", "state": "COMPLETED" });
        let failed =
            json!({ "paymentMode": "CARD", "transactionId": "OM0", "state": "FAILED", "rail": {} });
        let fields = match outcome {
            Outcome::Paid => json!({ "state": "COMPLETED", "paymentDetails": [paid, failed] }),
            Outcome::Failed => json!({
                "state": "FAILED",
                "errorCode": "INSUFFICIENT_BALANCE",
                "detailedErrorCode": "Z9",
                "paymentDetails": [failed],
            }),
            Outcome::LeftPending => json!({ "paymentDetails": [failed] }),
        };
        self.0.set(number, &fields);
    }

    async fn revoke_tokens(&self) {
        self.0
            .update(|state| state.tokens_revoked = state.tokens_given);
    }
}

macro_rules! for_both_gateways {
    ($($contract:ident)*) => {
        $(mod $contract {
            #[tokio::test]
            async fn sandbox() {
                super::$contract(&super::SandboxShop::open().await).await;
            }

            #[tokio::test]
            async fn fake_server() {
                let server = super::FakeServer::start().await;
                let phonepe = server.adapter();
                super::$contract(&super::FakeServerPeer(server, phonepe)).await;
            }
        })*
    };
}

for_both_gateways! {
    paid_order_is_completed
    failed_order_has_error_code
    pending_order_can_be_paid_later
    unpaid_order_expires
    unknown_ids_are_none
    duplicate_order_id_is_rejected
    invalid_requests_are_rejected
    refund_completes_and_is_idempotent
    revoked_token_is_replaced
}

async fn paid_order_is_completed(gateway: &dyn TestGateway) {
    let phonepe = gateway.phonepe();
    let page = create_page(phonepe, "MO-1_a").await;
    let expires_at_ms = gateway.clock().now_ms() + i64::from(EXPIRE_AFTER_S) * 1000;
    assert_eq!(page.expires_at_ms, expires_at_ms);
    assert!(page.gateway_order_id.starts_with("OMO"), "{page:?}");

    let before = payment(phonepe, "MO-1_a").await;
    assert_eq!(before.state, GatewayPaymentState::Pending);
    assert_eq!((before.amount, before.transaction_id), (AMOUNT, None));

    gateway.finish("MO-1_a", &page, Outcome::Paid).await;
    let after = payment(phonepe, "MO-1_a").await;
    assert!(after.transaction_id.as_ref().unwrap().starts_with("OM"));
    let expected = GatewayPayment {
        state: GatewayPaymentState::Completed,
        amount: AMOUNT,
        gateway_order_id: page.gateway_order_id,
        mode: Some("UPI_INTENT".into()),
        transaction_id: after.transaction_id.clone(),
        error_message: None,
        error_code: None,
    };
    assert_eq!(after, expected);
    assert_eq!(payment(phonepe, "MO-1_a").await, expected);
}

async fn failed_order_has_error_code(gateway: &dyn TestGateway) {
    let page = create_page(gateway.phonepe(), "MO2").await;
    gateway.finish("MO2", &page, Outcome::Failed).await;
    let failed = payment(gateway.phonepe(), "MO2").await;
    assert_eq!(failed.state, GatewayPaymentState::Failed);
    assert_eq!(failed.error_code.as_deref(), Some("INSUFFICIENT_BALANCE"));
    assert!(failed.error_message.unwrap().contains("balance"));
}

async fn pending_order_can_be_paid_later(gateway: &dyn TestGateway) {
    let page = create_page(gateway.phonepe(), "MO3").await;
    gateway.finish("MO3", &page, Outcome::LeftPending).await;
    let pending = payment(gateway.phonepe(), "MO3").await;
    assert_eq!(pending.state, GatewayPaymentState::Pending);
    assert_eq!((pending.error_code, pending.error_message), (None, None));
    gateway.finish("MO3", &page, Outcome::Paid).await;
    assert_eq!(
        payment(gateway.phonepe(), "MO3").await.state,
        GatewayPaymentState::Completed
    );
}

async fn unpaid_order_expires(gateway: &dyn TestGateway) {
    create_page(gateway.phonepe(), "MO4").await;
    gateway.clock().advance_s(i64::from(EXPIRE_AFTER_S) - 1);
    assert_eq!(
        payment(gateway.phonepe(), "MO4").await.state,
        GatewayPaymentState::Pending
    );
    gateway.clock().advance_s(1);
    let expired = payment(gateway.phonepe(), "MO4").await;
    assert_eq!(expired.state, GatewayPaymentState::Failed);
    assert_eq!(expired.error_code.as_deref(), Some("ORDER_EXPIRED"));
    assert!(expired.error_message.unwrap().contains("in time"));
}

async fn unknown_ids_are_none(gateway: &dyn TestGateway) {
    for number in ["MO5", "", "../pay", "a b", &"x".repeat(64)] {
        assert_eq!(
            gateway
                .phonepe()
                .payment_status(&number.into())
                .await
                .unwrap(),
            None
        );
        assert_eq!(
            gateway
                .phonepe()
                .refund_status(&number.into())
                .await
                .unwrap(),
            None
        );
    }
}

async fn duplicate_order_id_is_rejected(gateway: &dyn TestGateway) {
    create_page(gateway.phonepe(), "MO6").await;
    let again = outcome_text(
        gateway
            .phonepe()
            .create_payment(payment_request("MO6"))
            .await,
    );
    assert!(
        again.starts_with("refused: INVALID_MERCHANT_ORDER_ID: "),
        "{again}"
    );
}

async fn invalid_requests_are_rejected(gateway: &dyn TestGateway) {
    let good = || payment_request("MO7");
    let requests = [
        CreatePaymentRequest {
            amount: Paise::new(99),
            ..good()
        },
        CreatePaymentRequest {
            merchant_order_id: "MO 7".into(),
            ..good()
        },
        CreatePaymentRequest {
            merchant_order_id: "x".repeat(64).into(),
            ..good()
        },
        CreatePaymentRequest {
            expire_after_s: 299,
            ..good()
        },
        CreatePaymentRequest {
            expire_after_s: 3601,
            ..good()
        },
    ];
    for request in requests {
        let outcome = outcome_text(gateway.phonepe().create_payment(request).await);
        assert!(outcome.starts_with("refused: BAD_REQUEST: "), "{outcome}");
    }
    create_page(gateway.phonepe(), "MO7").await;
}

async fn refund_completes_and_is_idempotent(gateway: &dyn TestGateway) {
    let phonepe = gateway.phonepe();
    let page = create_page(phonepe, "MO8").await;
    let too_early = outcome_text(
        phonepe
            .create_refund(refund_request("R0", "MO8", 5_000))
            .await,
    );
    assert!(too_early.starts_with("refused: "), "{too_early}");
    gateway.finish("MO8", &page, Outcome::Paid).await;

    for _ in 0..2 {
        let created = phonepe
            .create_refund(refund_request("R1", "MO8", 5_000))
            .await
            .unwrap();
        assert_eq!(created.state, GatewayRefundState::Pending);
        assert_eq!(created.amount, Paise::new(5_000));
    }
    let pending = phonepe.refund_status(&"R1".into()).await.unwrap().unwrap();
    assert_eq!(pending.state, GatewayRefundState::Pending);
    gateway.clock().advance_s(3);
    let done = phonepe.refund_status(&"R1".into()).await.unwrap().unwrap();
    assert_eq!(
        (done.state, done.amount),
        (GatewayRefundState::Completed, Paise::new(5_000))
    );

    for wrong in [
        refund_request("R1", "MO8", 6_000),
        refund_request("R2", "MO8", AMOUNT.get() + 1),
        refund_request("R3", "MO-none", 5_000),
    ] {
        let outcome = outcome_text(phonepe.create_refund(wrong).await);
        assert!(outcome.starts_with("refused: "), "{outcome}");
    }
}

async fn revoked_token_is_replaced(gateway: &dyn TestGateway) {
    create_page(gateway.phonepe(), "MO9").await;
    gateway.revoke_tokens().await;
    create_page(gateway.phonepe(), "MO10").await;
    gateway.revoke_tokens().await;
    assert_eq!(payment(gateway.phonepe(), "MO9").await.amount, AMOUNT);
}
