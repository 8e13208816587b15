//! What the adapter and any PhonePe must agree on. Each of these runs against the sandbox, whose page
//! is used as a browser would, and against the scripted gateway.

use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::ports::clock::Clock as _;
use mirasa_app::ports::payment::{
    CreatePaymentRequest, GatewayPayment, GatewayPaymentState, GatewayRefundState,
    PaymentGateway as _, PaymentPage,
};
use mirasa_domain::money::Paise;
use serde_json::json;

use super::sandbox::SandboxShop;
use super::scripted::Scripted;
use super::{AMOUNT, HeldClock, LIFE_S, PhonePe, ask, begun, refund, report, verdict};

#[derive(Clone, Copy)]
enum End {
    Paid,
    Failed,
    LeftPending,
}

#[async_trait]
trait Peer {
    fn phonepe(&self) -> &PhonePe;
    fn clock(&self) -> &Arc<HeldClock>;
    async fn end(&self, number: &str, page: &PaymentPage, end: End);
    async fn revoke_tokens(&self);
}

#[async_trait]
impl Peer for SandboxShop {
    fn phonepe(&self) -> &PhonePe {
        &self.phonepe
    }

    fn clock(&self) -> &Arc<HeldClock> {
        &self.clock
    }

    async fn end(&self, _: &str, page: &PaymentPage, end: End) {
        let outcome = match end {
            End::Paid => "pay",
            End::Failed => "fail",
            End::LeftPending => "pending",
        };
        let fields = [("outcome", outcome), ("reason", "INSUFFICIENT_BALANCE")];
        let back = self.choose(&page.redirect_url, &fields).await;
        assert_eq!(back.status(), 303);
    }

    async fn revoke_tokens(&self) {
        self.switch(json!({ "revoke_tokens": true })).await;
    }
}

struct ScriptedPeer(Scripted, PhonePe);

#[async_trait]
impl Peer for ScriptedPeer {
    fn phonepe(&self) -> &PhonePe {
        &self.1
    }

    fn clock(&self) -> &Arc<HeldClock> {
        &self.0.clock
    }

    async fn end(&self, number: &str, _: &PaymentPage, end: End) {
        let paid =
            json!({ "paymentMode": "UPI_INTENT", "transactionId": "OM1", "state": "COMPLETED" });
        let tried =
            json!({ "paymentMode": "CARD", "transactionId": "OM0", "state": "FAILED", "rail": {} });
        let fields = match end {
            End::Paid => json!({ "state": "COMPLETED", "paymentDetails": [paid, tried] }),
            End::Failed => json!({
                "state": "FAILED",
                "errorCode": "INSUFFICIENT_BALANCE",
                "detailedErrorCode": "Z9",
                "paymentDetails": [tried],
            }),
            End::LeftPending => json!({ "paymentDetails": [tried] }),
        };
        self.0.set(number, &fields);
    }

    async fn revoke_tokens(&self) {
        self.0
            .change(|script| script.tokens_revoked = script.tokens_given);
    }
}

macro_rules! with_both {
    ($($agreement:ident)*) => {
        $(mod $agreement {
            #[tokio::test]
            async fn sandbox() {
                super::$agreement(&super::SandboxShop::open().await).await;
            }

            #[tokio::test]
            async fn scripted() {
                let scripted = super::Scripted::start().await;
                let phonepe = scripted.adapter();
                super::$agreement(&super::ScriptedPeer(scripted, phonepe)).await;
            }
        })*
    };
}

with_both! {
    a_payment_is_made
    a_payment_fails
    a_payment_is_left_pending
    a_payment_expires
    what_nobody_knows_is_none
    a_number_is_good_once
    what_phonepe_does_not_take_is_refused
    money_is_given_back
    a_refused_token_is_replaced
}

async fn a_payment_is_made(peer: &dyn Peer) {
    let phonepe = peer.phonepe();
    let page = begun(phonepe, "MO-1_a").await;
    let expires_at_ms = peer.clock().now_ms() + i64::from(LIFE_S) * 1000;
    assert_eq!(page.expires_at_ms, expires_at_ms);
    assert!(page.gateway_order_id.starts_with("OMO"), "{page:?}");

    let before = report(phonepe, "MO-1_a").await;
    assert_eq!(before.state, GatewayPaymentState::Pending);
    assert_eq!((before.amount, before.transaction_id), (AMOUNT, None));

    peer.end("MO-1_a", &page, End::Paid).await;
    let after = report(phonepe, "MO-1_a").await;
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
    assert_eq!(report(phonepe, "MO-1_a").await, expected);
}

async fn a_payment_fails(peer: &dyn Peer) {
    let page = begun(peer.phonepe(), "MO2").await;
    peer.end("MO2", &page, End::Failed).await;
    let failed = report(peer.phonepe(), "MO2").await;
    assert_eq!(failed.state, GatewayPaymentState::Failed);
    assert_eq!(failed.error_code.as_deref(), Some("INSUFFICIENT_BALANCE"));
    assert!(failed.error_message.unwrap().contains("balance"));
}

async fn a_payment_is_left_pending(peer: &dyn Peer) {
    let page = begun(peer.phonepe(), "MO3").await;
    peer.end("MO3", &page, End::LeftPending).await;
    let pending = report(peer.phonepe(), "MO3").await;
    assert_eq!(pending.state, GatewayPaymentState::Pending);
    assert_eq!((pending.error_code, pending.error_message), (None, None));
    peer.end("MO3", &page, End::Paid).await;
    assert_eq!(
        report(peer.phonepe(), "MO3").await.state,
        GatewayPaymentState::Completed
    );
}

async fn a_payment_expires(peer: &dyn Peer) {
    begun(peer.phonepe(), "MO4").await;
    peer.clock().advance_s(i64::from(LIFE_S) - 1);
    assert_eq!(
        report(peer.phonepe(), "MO4").await.state,
        GatewayPaymentState::Pending
    );
    peer.clock().advance_s(1);
    let expired = report(peer.phonepe(), "MO4").await;
    assert_eq!(expired.state, GatewayPaymentState::Failed);
    assert_eq!(expired.error_code.as_deref(), Some("ORDER_EXPIRED"));
    assert!(expired.error_message.unwrap().contains("in time"));
}

async fn what_nobody_knows_is_none(peer: &dyn Peer) {
    for number in ["MO5", "", "../pay", "a b", &"x".repeat(64)] {
        assert_eq!(peer.phonepe().payment_status(number).await.unwrap(), None);
        assert_eq!(peer.phonepe().refund_status(number).await.unwrap(), None);
    }
}

async fn a_number_is_good_once(peer: &dyn Peer) {
    begun(peer.phonepe(), "MO6").await;
    let again = verdict(peer.phonepe().create_payment(ask("MO6")).await);
    assert!(
        again.starts_with("refused: INVALID_MERCHANT_ORDER_ID: "),
        "{again}"
    );
}

async fn what_phonepe_does_not_take_is_refused(peer: &dyn Peer) {
    let good = || ask("MO7");
    let asks = [
        CreatePaymentRequest {
            amount: Paise::new(99),
            ..good()
        },
        CreatePaymentRequest {
            merchant_order_id: "MO 7".into(),
            ..good()
        },
        CreatePaymentRequest {
            merchant_order_id: "x".repeat(64),
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
    for ask in asks {
        let outcome = verdict(peer.phonepe().create_payment(ask).await);
        assert!(outcome.starts_with("refused: BAD_REQUEST: "), "{outcome}");
    }
    begun(peer.phonepe(), "MO7").await;
}

async fn money_is_given_back(peer: &dyn Peer) {
    let phonepe = peer.phonepe();
    let page = begun(phonepe, "MO8").await;
    let too_early = verdict(phonepe.create_refund(refund("R0", "MO8", 5_000)).await);
    assert!(too_early.starts_with("refused: "), "{too_early}");
    peer.end("MO8", &page, End::Paid).await;

    for _ in 0..2 {
        let begun = phonepe
            .create_refund(refund("R1", "MO8", 5_000))
            .await
            .unwrap();
        assert_eq!(begun.state, GatewayRefundState::Pending);
        assert_eq!(begun.amount, Paise::new(5_000));
    }
    let pending = phonepe.refund_status("R1").await.unwrap().unwrap();
    assert_eq!(pending.state, GatewayRefundState::Pending);
    peer.clock().advance_s(3);
    let done = phonepe.refund_status("R1").await.unwrap().unwrap();
    assert_eq!(
        (done.state, done.amount),
        (GatewayRefundState::Completed, Paise::new(5_000))
    );

    for wrong in [
        refund("R1", "MO8", 6_000),
        refund("R2", "MO8", AMOUNT.get() + 1),
        refund("R3", "MO-none", 5_000),
    ] {
        let outcome = verdict(phonepe.create_refund(wrong).await);
        assert!(outcome.starts_with("refused: "), "{outcome}");
    }
}

async fn a_refused_token_is_replaced(peer: &dyn Peer) {
    begun(peer.phonepe(), "MO9").await;
    peer.revoke_tokens().await;
    begun(peer.phonepe(), "MO10").await;
    peer.revoke_tokens().await;
    assert_eq!(report(peer.phonepe(), "MO9").await.amount, AMOUNT);
}
