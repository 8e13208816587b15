//! What the gateway knows of orders and refunds, and its rules about them. Every change is a line of its
//! record, and the lines alone make the books again.

use std::collections::HashMap;
use std::fs::File;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::record::{Place, Record};

pub(super) const LEAST_AMOUNT: i64 = 100;
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
    /// When the bank is done with it, and how that ends. None: never.
    pub(super) due: Option<(i64, State)>,
    pub(super) error_code: Option<String>,
}

/// A record as it is after a change.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Order(Order),
    Refund(Refund),
}

/// What the shopper did on the page.
pub(super) enum Outcome {
    Paid { mode: String },
    Failed { code: String, detailed: String },
}

/// PhonePe's way of saying no.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: &'static str,
}

pub(super) const fn refusal(
    status: StatusCode,
    code: &'static str,
    message: &'static str,
) -> Refusal {
    Refusal {
        status,
        code,
        message,
    }
}

pub(super) struct Books {
    record: Record,
    orders: Orders,
    refunds: HashMap<String, Refund>,
}

/// Where each order's last line lies. The orders themselves would fill the memory of a shop that sells for weeks.
#[derive(Default)]
struct Orders {
    by_number: HashMap<Box<str>, Place>,
    by_page: HashMap<Box<str>, Place>,
}

impl Orders {
    fn keep(&mut self, order: &Order, place: Place) {
        self.by_number
            .insert(order.merchant_order_id.as_str().into(), place);
        self.by_page.insert(order.order_id.as_str().into(), place);
    }
}

impl Books {
    pub(super) fn open(file: File) -> std::io::Result<Books> {
        let mut orders = Orders::default();
        let mut refunds = HashMap::new();
        let record = Record::open(file, |line, place| match line {
            Line::Order(order) => orders.keep(&order, place),
            Line::Refund(refund) => {
                refunds.insert(refund.merchant_refund_id.clone(), refund);
            }
        })?;
        Ok(Books {
            record,
            orders,
            refunds,
        })
    }

    /// Brings every change to disk. False where nobody may be told of anything.
    pub(super) fn save(&mut self) -> bool {
        self.record.save()
    }

    fn change_order(&mut self, order: Order) -> Order {
        let place = self.record.add(&Line::Order(order.clone()));
        self.orders.keep(&order, place);
        order
    }

    fn change_refund(&mut self, refund: Refund) -> Refund {
        self.record.add(&Line::Refund(refund.clone()));
        self.refunds
            .insert(refund.merchant_refund_id.clone(), refund.clone());
        refund
    }

    pub(super) fn open_order(&mut self, order: Order) -> Result<Order, Refusal> {
        if self
            .orders
            .by_number
            .contains_key(order.merchant_order_id.as_str())
        {
            return Err(refusal(
                StatusCode::EXPECTATION_FAILED,
                "INVALID_MERCHANT_ORDER_ID",
                "An order with this merchantOrderId exists already",
            ));
        }
        Ok(self.change_order(order))
    }

    pub(super) fn order(&mut self, merchant_order_id: &str, now_ms: i64) -> Option<Order> {
        let place = *self.orders.by_number.get(merchant_order_id)?;
        self.order_at(place, now_ms)
    }

    pub(super) fn order_of_page(&mut self, order_id: &str, now_ms: i64) -> Option<Order> {
        let place = *self.orders.by_page.get(order_id)?;
        self.order_at(place, now_ms)
    }

    /// The order as it is now: one whose time is over has failed.
    fn order_at(&mut self, place: Place, now_ms: i64) -> Option<Order> {
        let Line::Order(order) = self.record.read(place)? else {
            return None;
        };
        if order.state != State::Pending || now_ms < order.expire_at {
            return Some(order);
        }
        Some(self.change_order(Order {
            state: State::Failed,
            settled_at: Some(order.expire_at),
            error_code: Some(EXPIRED.0.into()),
            detailed_error_code: Some(EXPIRED.1.into()),
            ..order
        }))
    }

    /// Settles an order once; whoever comes later only learns how it ended. `late` lets one be paid
    /// whose time is over. Answers whether this was the time.
    pub(super) fn settle(
        &mut self,
        order_id: &str,
        outcome: Outcome,
        transaction_id: String,
        now_ms: i64,
        late: bool,
    ) -> Option<(Order, bool)> {
        let order = self.order_of_page(order_id, now_ms)?;
        if !order.can_be_settled(late) {
            return Some((order, false));
        }
        let settled = Order {
            settled_at: Some(now_ms),
            transaction_id: Some(transaction_id),
            ..order
        };
        let settled = match outcome {
            Outcome::Paid { mode } => Order {
                state: State::Completed,
                payment_mode: Some(mode),
                error_code: None,
                detailed_error_code: None,
                ..settled
            },
            Outcome::Failed { code, detailed } => Order {
                state: State::Failed,
                error_code: Some(code),
                detailed_error_code: Some(detailed),
                ..settled
            },
        };
        Some((self.change_order(settled), true))
    }

    /// The same refund asked for again is the same refund. Answers whether it is a new one.
    pub(super) fn open_refund(
        &mut self,
        refund: Refund,
        now_ms: i64,
    ) -> Result<(Refund, bool), Refusal> {
        if let Some(known) = self.refund(&refund.merchant_refund_id, now_ms) {
            let same = known.amount == refund.amount
                && known.original_merchant_order_id == refund.original_merchant_order_id;
            return if same {
                Ok((known, false))
            } else {
                Err(refusal(
                    StatusCode::EXPECTATION_FAILED,
                    "INVALID_MERCHANT_REFUND_ID",
                    "Another refund has this merchantRefundId",
                ))
            };
        }
        let Some(order) = self.order(&refund.original_merchant_order_id, now_ms) else {
            return Err(refusal(
                StatusCode::BAD_REQUEST,
                "INVALID_MERCHANT_ORDER_ID",
                "No entry found for given merchant order id",
            ));
        };
        let given_back: i64 = self
            .refunds
            .values()
            .filter(|other| other.original_merchant_order_id == order.merchant_order_id)
            .filter(|other| other.state != State::Failed)
            .map(|other| other.amount)
            .sum();
        if order.state != State::Completed {
            return Err(refusal(
                StatusCode::BAD_REQUEST,
                "BAD_REQUEST",
                "Only a completed order can be refunded",
            ));
        }
        if refund.amount < LEAST_AMOUNT || refund.amount > order.amount - given_back {
            return Err(refusal(
                StatusCode::BAD_REQUEST,
                "REFUND_AMOUNT_INVALID",
                "The amount is below 100 paise, or more than is left of the payment",
            ));
        }
        Ok((self.change_refund(refund), true))
    }

    /// The refund as it is now: one that is due has come to its end.
    pub(super) fn refund(&mut self, merchant_refund_id: &str, now_ms: i64) -> Option<Refund> {
        let refund = self.refunds.get(merchant_refund_id)?.clone();
        match refund.due {
            Some((at, state)) if refund.state == State::Pending && now_ms >= at => {
                Some(self.change_refund(Refund {
                    state,
                    error_code: (state == State::Failed).then(|| "BANK_TECHNICAL_ISSUE".into()),
                    ..refund
                }))
            }
            _ => Some(refund),
        }
    }

    /// Everything, oldest first, as a checker wants to read it.
    pub(super) fn record(&mut self, now_ms: i64) -> Value {
        let mut orders = self.orders.by_number.keys().cloned().collect::<Vec<_>>();
        orders.sort();
        let mut orders = orders
            .iter()
            .filter_map(|number| self.order(number, now_ms))
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
