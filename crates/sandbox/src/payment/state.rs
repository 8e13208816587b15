//! The gateway's orders and refunds, and the rules about them. Every change is appended to the log,
//! and the log alone restores the state.

use std::collections::HashMap;
use std::fs::File;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::append_log::{AppendLog, LogOffset};

pub(super) const MIN_AMOUNT: i64 = 100;
const EXPIRED: (&str, &str) = ("ORDER_EXPIRED", "REQUEST_TIME_OUT");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum State {
    Pending,
    Completed,
    Failed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Order {
    pub(super) merchant_order_id: String,
    pub(super) order_id: String,
    pub(super) amount: i64,
    pub(super) message: String,
    pub(super) redirect_url: String,
    pub(super) meta_info: Value,
    pub(super) created_at: i64,
    pub(super) expire_at: i64,
    pub(super) state: State,
    pub(super) settled_at: Option<i64>,
    pub(super) payment_mode: Option<String>,
    pub(super) transaction_id: Option<String>,
    pub(super) error_code: Option<String>,
    pub(super) detailed_error_code: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refund {
    pub(super) merchant_refund_id: String,
    pub(super) original_merchant_order_id: String,
    pub(super) refund_id: String,
    pub(super) amount: i64,
    pub(super) created_at: i64,
    pub(super) state: State,
    /// When the refund ends, and with which state. None: never.
    pub(super) due: Option<(i64, State)>,
    pub(super) error_code: Option<String>,
}

/// An order or a refund after a change.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum LogEntry {
    Order(Order),
    Refund(Refund),
}

/// The customer's choice on the page.
pub(super) enum PaymentOutcome {
    Paid { mode: String },
    Failed { code: String, detailed: String },
}

/// PhonePe's error response.
#[derive(Debug, Clone, Copy)]
pub(super) struct ApiError {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: &'static str,
}

pub(super) const fn api_error(
    status: StatusCode,
    code: &'static str,
    message: &'static str,
) -> ApiError {
    ApiError {
        status,
        code,
        message,
    }
}

pub(super) struct GatewayState {
    log: AppendLog,
    orders: OrderIndex,
    refunds: HashMap<String, Refund>,
}

/// The offset of each order's last log entry. The orders themselves would take too much memory over
/// weeks.
#[derive(Default)]
struct OrderIndex {
    by_merchant_id: HashMap<Box<str>, LogOffset>,
    by_page: HashMap<Box<str>, LogOffset>,
}

impl OrderIndex {
    fn insert(&mut self, order: &Order, offset: LogOffset) {
        self.by_merchant_id
            .insert(order.merchant_order_id.as_str().into(), offset);
        self.by_page.insert(order.order_id.as_str().into(), offset);
    }
}

impl GatewayState {
    pub(super) fn open(file: File) -> std::io::Result<GatewayState> {
        let mut orders = OrderIndex::default();
        let mut refunds = HashMap::new();
        let log = AppendLog::open(file, |entry, offset| match entry {
            LogEntry::Order(order) => orders.insert(&order, offset),
            LogEntry::Refund(refund) => {
                refunds.insert(refund.merchant_refund_id.clone(), refund);
            }
        })?;
        Ok(GatewayState {
            log,
            orders,
            refunds,
        })
    }

    /// Writes all changes to disk. False if no response may be sent.
    pub(super) fn save(&mut self) -> bool {
        self.log.save()
    }

    fn save_order(&mut self, order: Order) -> Order {
        let offset = self.log.append(&LogEntry::Order(order.clone()));
        self.orders.insert(&order, offset);
        order
    }

    fn save_refund(&mut self, refund: Refund) -> Refund {
        self.log.append(&LogEntry::Refund(refund.clone()));
        self.refunds
            .insert(refund.merchant_refund_id.clone(), refund.clone());
        refund
    }

    pub(super) fn create_order(&mut self, order: Order) -> Result<Order, ApiError> {
        if self
            .orders
            .by_merchant_id
            .contains_key(order.merchant_order_id.as_str())
        {
            return Err(api_error(
                StatusCode::EXPECTATION_FAILED,
                "INVALID_MERCHANT_ORDER_ID",
                "An order with this merchantOrderId exists already",
            ));
        }
        Ok(self.save_order(order))
    }

    pub(super) fn order(&mut self, merchant_order_id: &str, now_ms: i64) -> Option<Order> {
        let offset = *self.orders.by_merchant_id.get(merchant_order_id)?;
        self.order_at(offset, now_ms)
    }

    pub(super) fn order_by_page(&mut self, order_id: &str, now_ms: i64) -> Option<Order> {
        let offset = *self.orders.by_page.get(order_id)?;
        self.order_at(offset, now_ms)
    }

    /// The current state of the order: after its expiry it has failed.
    fn order_at(&mut self, offset: LogOffset, now_ms: i64) -> Option<Order> {
        let LogEntry::Order(order) = self.log.read(offset)? else {
            return None;
        };
        if order.state != State::Pending || now_ms < order.expire_at {
            return Some(order);
        }
        Some(self.save_order(Order {
            state: State::Failed,
            settled_at: Some(order.expire_at),
            error_code: Some(EXPIRED.0.into()),
            detailed_error_code: Some(EXPIRED.1.into()),
            ..order
        }))
    }

    /// Settles an order once; later calls return the order unchanged. `late` allows paying an
    /// expired order. Returns whether this call settled it.
    pub(super) fn settle(
        &mut self,
        order_id: &str,
        outcome: PaymentOutcome,
        transaction_id: String,
        now_ms: i64,
        late: bool,
    ) -> Option<(Order, bool)> {
        let order = self.order_by_page(order_id, now_ms)?;
        if !order.can_be_settled(late) {
            return Some((order, false));
        }
        let settled = Order {
            settled_at: Some(now_ms),
            transaction_id: Some(transaction_id),
            ..order
        };
        let settled = match outcome {
            PaymentOutcome::Paid { mode } => Order {
                state: State::Completed,
                payment_mode: Some(mode),
                error_code: None,
                detailed_error_code: None,
                ..settled
            },
            PaymentOutcome::Failed { code, detailed } => Order {
                state: State::Failed,
                error_code: Some(code),
                detailed_error_code: Some(detailed),
                ..settled
            },
        };
        Some((self.save_order(settled), true))
    }

    /// Idempotent by merchant_refund_id. Returns whether the refund is new.
    pub(super) fn create_refund(
        &mut self,
        refund: Refund,
        now_ms: i64,
    ) -> Result<(Refund, bool), ApiError> {
        if let Some(existing) = self.refund(&refund.merchant_refund_id, now_ms) {
            let is_same = existing.amount == refund.amount
                && existing.original_merchant_order_id == refund.original_merchant_order_id;
            return if is_same {
                Ok((existing, false))
            } else {
                Err(api_error(
                    StatusCode::EXPECTATION_FAILED,
                    "INVALID_MERCHANT_REFUND_ID",
                    "Another refund has this merchantRefundId",
                ))
            };
        }
        let Some(order) = self.order(&refund.original_merchant_order_id, now_ms) else {
            return Err(api_error(
                StatusCode::BAD_REQUEST,
                "INVALID_MERCHANT_ORDER_ID",
                "No entry found for given merchant order id",
            ));
        };
        let refunded: i64 = self
            .refunds
            .values()
            .filter(|other| other.original_merchant_order_id == order.merchant_order_id)
            .filter(|other| other.state != State::Failed)
            .map(|other| other.amount)
            .sum();
        if order.state != State::Completed {
            return Err(api_error(
                StatusCode::BAD_REQUEST,
                "BAD_REQUEST",
                "Only a completed order can be refunded",
            ));
        }
        if refund.amount < MIN_AMOUNT || refund.amount > order.amount - refunded {
            return Err(api_error(
                StatusCode::BAD_REQUEST,
                "REFUND_AMOUNT_INVALID",
                "The amount is below 100 paise, or more than is left of the payment",
            ));
        }
        Ok((self.save_refund(refund), true))
    }

    /// The current state of the refund: when it is due, it has ended.
    pub(super) fn refund(&mut self, merchant_refund_id: &str, now_ms: i64) -> Option<Refund> {
        let refund = self.refunds.get(merchant_refund_id)?.clone();
        match refund.due {
            Some((at, state)) if refund.state == State::Pending && now_ms >= at => {
                Some(self.save_refund(Refund {
                    state,
                    error_code: (state == State::Failed).then(|| "BANK_TECHNICAL_ISSUE".into()),
                    ..refund
                }))
            }
            _ => Some(refund),
        }
    }

    /// All orders and refunds, oldest first.
    pub(super) fn dump(&mut self, now_ms: i64) -> Value {
        let mut orders = self
            .orders
            .by_merchant_id
            .keys()
            .cloned()
            .collect::<Vec<_>>();
        orders.sort();
        let mut orders = orders
            .iter()
            .filter_map(|merchant_id| self.order(merchant_id, now_ms))
            .collect::<Vec<_>>();
        orders.sort_by_key(|order| order.created_at);
        let mut refunds = self.refunds.keys().cloned().collect::<Vec<_>>();
        refunds.sort();
        let mut refunds = refunds
            .iter()
            .filter_map(|id| self.refund(id, now_ms))
            .collect::<Vec<_>>();
        refunds.sort_by_key(|refund| refund.created_at);
        json!({ "orders": orders, "refunds": refunds })
    }
}

impl Order {
    pub(super) fn can_be_settled(&self, late: bool) -> bool {
        let expired = self.error_code.as_deref() == Some(EXPIRED.0);
        self.state == State::Pending || (late && self.state == State::Failed && expired)
    }
}
