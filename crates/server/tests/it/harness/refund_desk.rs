//! A second instance of the shop whose gateway ends a refund when and how the test says.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mirasa_app::orders::SeenOrder;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::payment::{
    CreatePaymentRequest, GatewayPayment, GatewayRefund, GatewayRefundState, PaymentError,
    PaymentGateway, PaymentPage, RefundRequest, WebhookError, WebhookEvent,
};
use mirasa_app::refunds::RefundInput;
use mirasa_app::{AppError, ErrorCode, Shop};
use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::pack::Packs;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundId, RefundStatus};
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_domain::user::{User, UserId};

use super::{HeldCalls, TestShop, eventually, now_ms, read_db};
use crate::admin_orders::id_of;

const DAY_MS: i64 = 86_400_000;

/// Its clock is a year ahead, so that the worker of the server never finds its refunds due.
pub struct RefundDesk<'s> {
    pub shop: &'s TestShop,
    pub instance: Shop,
    pub admin: User,
    clock: Arc<TestClock>,
    gateway: Arc<ScriptedGateway>,
}

struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Refunds are pending until the test ends them.
#[derive(Default)]
struct ScriptedGateway {
    states: Mutex<HashMap<String, GatewayRefundState>>,
    calls: HeldCalls,
}

impl ScriptedGateway {
    async fn refund(&self, id: &str) -> GatewayRefund {
        self.calls.pass(id).await;
        let states = self.states.lock().unwrap();
        let state = states.get(id).copied();
        GatewayRefund {
            state: state.unwrap_or(GatewayRefundState::Pending),
            amount: Paise::ZERO,
            error_code: Some("CLOSED_ACCOUNT".into()),
        }
    }
}

#[async_trait]
impl PaymentGateway for ScriptedGateway {
    async fn create_payment(&self, _: CreatePaymentRequest) -> Result<PaymentPage, PaymentError> {
        Err(PaymentError::Rejected("no payments".into()))
    }

    async fn payment_status(&self, _: &AttemptId) -> Result<Option<GatewayPayment>, PaymentError> {
        Ok(None)
    }

    async fn create_refund(&self, request: RefundRequest) -> Result<GatewayRefund, PaymentError> {
        Ok(self.refund(request.merchant_refund_id.as_str()).await)
    }

    async fn refund_status(&self, id: &RefundId) -> Result<Option<GatewayRefund>, PaymentError> {
        Ok(Some(self.refund(id.as_str()).await))
    }

    fn is_signed(&self, _: Option<&str>) -> bool {
        false
    }

    fn parse_webhook(&self, _: Option<&str>, _: &[u8]) -> Result<WebhookEvent, WebhookError> {
        Err(WebhookError::Unauthenticated)
    }
}

/// Packs of 50 g and 100 g of one product.
pub fn packs(product: &str, of_50g: u32, of_100g: u32) -> RefundSelection {
    RefundSelection::Packs(vec![(ProductId(product.into()), Packs { of_50g, of_100g })])
}

pub fn amount(paise: i64) -> RefundSelection {
    RefundSelection::Amount(Paise::new(paise))
}

/// Repeats a call that is refused because the database was busy for too long, as on a slow machine.
pub async fn patiently<T>(call: impl AsyncFn() -> Result<T, AppError>) -> Result<T, AppError> {
    let mut result = None;
    eventually("the call is accepted or refused", async || {
        let ended = call().await;
        let is_busy = matches!(&ended, Err(error) if error.code == ErrorCode::Unavailable);
        result = Some(ended);
        !is_busy
    })
    .await;
    result.unwrap()
}

impl<'s> RefundDesk<'s> {
    pub async fn open(shop: &'s TestShop) -> RefundDesk<'s> {
        let id = UserId(id_of(&shop.admin().await).await);
        let admin = read_db!(shop, db => db.user(&id).await?).unwrap();
        let clock = Arc::new(TestClock(AtomicI64::new(now_ms() + 365 * DAY_MS)));
        let gateway = Arc::new(ScriptedGateway::default());
        let instance = Shop {
            db: shop.second_instance.clone(),
            clock: clock.clone(),
            gateway: gateway.clone(),
            ..shop.running.shop.clone()
        };
        RefundDesk {
            shop,
            instance,
            admin,
            clock,
            gateway,
        }
    }

    pub async fn refund(
        &self,
        order: &Order,
        selection: RefundSelection,
    ) -> Result<Refund, AppError> {
        self.refund_with(order, selection, false).await
    }

    pub async fn refund_with(
        &self,
        order: &Order,
        selection: RefundSelection,
        restock: bool,
    ) -> Result<Refund, AppError> {
        patiently(async || {
            let input = RefundInput {
                selection: selection.clone(),
                reason: "Torn".into(),
                restock,
                came_back: false,
                idempotency_key: None,
                seen: SeenOrder::default(),
                even_if_repeated: false,
            };
            let (admin, id) = (&self.admin, order.id.clone());
            self.instance.refund_order(admin, id, input).await
        })
        .await
    }

    pub async fn retry(&self, id: &str) -> Result<Refund, AppError> {
        patiently(async || {
            self.instance
                .retry_refund(&self.admin, id.to_owned().into())
                .await
        })
        .await
    }

    /// The requests to the gateway, by the id of the refund.
    pub fn calls(&self) -> &HeldCalls {
        &self.gateway.calls
    }

    pub async fn complete(&self, refund: &Refund) {
        self.end(refund, RefundStatus::Completed).await;
    }

    pub async fn fail(&self, refund: &Refund) {
        self.end(refund, RefundStatus::Failed).await;
    }

    async fn end(&self, refund: &Refund, status: RefundStatus) {
        let state = match status {
            RefundStatus::Failed => GatewayRefundState::Failed,
            _ => GatewayRefundState::Completed,
        };
        self.gateway
            .states
            .lock()
            .unwrap()
            .insert(refund.id.0.clone(), state);
        eventually("the refund has ended", async || {
            // Every refund that is under way is due.
            self.clock.0.fetch_add(DAY_MS, Ordering::SeqCst);
            self.instance.process_refunds().await.unwrap();
            let id = refund.id.clone();
            let found = read_db!(self.shop, db => db.refund(&id).await?);
            found.unwrap().status == status
        })
        .await;
    }

    /// Refunds a part and lets it fail.
    pub async fn failed(&self, order: &Order, selection: RefundSelection) -> Refund {
        let refund = self.refund(order, selection).await.unwrap();
        self.fail(&refund).await;
        refund
    }

    /// Refunds a part and lets it be completed.
    pub async fn completed(&self, order: &Order, selection: RefundSelection) -> Refund {
        let refund = self.refund(order, selection).await.unwrap();
        self.complete(&refund).await;
        refund
    }

    pub async fn refunds(&self, order: &Order) -> Vec<Refund> {
        let ids = [order.id.clone()];
        read_db!(self.shop, db => db.refunds_of(&ids).await?)
    }

    /// The kinds of the open issues of the order.
    pub async fn issues(&self, order: &Order) -> Vec<&'static str> {
        let all = read_db!(self.shop, db => db.open_issues().await?);
        let of_order = all
            .into_iter()
            .filter(|open| open.issue.order_id == order.id);
        of_order.map(|open| open.issue.kind.as_str()).collect()
    }
}
