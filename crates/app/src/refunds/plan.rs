//! The payment of an order that is refunded, and how much of it.

use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::refund::Refund;
use mirasa_domain::refund_plan::{self, RefundError, RefundPlan, RefundSelection, left_of};

use crate::refunds::send::received_by;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// The payment to refund, and the plan.
    pub(super) async fn plan_refund(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        selection: RefundSelection,
    ) -> Result<(AttemptId, Result<RefundPlan, RefundError>), AppError> {
        let payments = tx.payments_received(&order.id).await?;
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        let Some(payment) = refundable_payment(order, &payments, &refunds) else {
            return Err(AppError::new(
                ErrorCode::NothingToRefund,
                "Nothing was paid for this order.",
            ));
        };
        let plan = plan_for(order, &payments, payment, &refunds, selection);
        Ok((payment.to_owned(), plan))
    }
}

/// The payment of an order that is refunded. Usually the order has one. One that does not complete the order, because its
/// amount is wrong, can be refunded too.
fn refundable_payment<'p>(
    order: &Order,
    payments: &'p [(AttemptId, Paise)],
    refunds: &[Refund],
) -> Option<&'p AttemptId> {
    payments
        .iter()
        .map(|(id, _)| id)
        .filter(|id| is_of_sale(order, id))
        .max_by_key(|id| left_of(received_by(payments, id), &refunds_of(id, refunds)))
}

/// A paid order has one payment that is its own; others are returned.
pub(super) fn is_of_sale(order: &Order, payment: &AttemptId) -> bool {
    let paid_by = order.paid_by_attempt.as_ref();
    paid_by.is_none_or(|paid| paid == payment)
}

/// What has not been refunded of the payment that a refund of the order would be of.
pub(crate) fn payment_left(
    order: &Order,
    payments: &[(AttemptId, Paise)],
    refunds: &[Refund],
) -> Paise {
    let payment = refundable_payment(order, payments, refunds);
    payment.map_or(Paise::ZERO, |id| {
        left_of(received_by(payments, id), &refunds_of(id, refunds))
    })
}

pub(super) fn plan_for(
    order: &Order,
    payments: &[(AttemptId, Paise)],
    payment: &AttemptId,
    refunds: &[Refund],
    selection: RefundSelection,
) -> Result<RefundPlan, RefundError> {
    let received = received_by(payments, payment);
    let refunds = refunds_of(payment, refunds);
    // A payment that is no part of the sale paid for no packs.
    let lines = match is_of_sale(order, payment) {
        true => order.lines.as_slice(),
        false => &[],
    };
    refund_plan::plan(lines, received, &refunds, selection)
}

pub(super) fn refunds_of(payment: &AttemptId, refunds: &[Refund]) -> Vec<Refund> {
    let of_payment = |refund: &&Refund| refund.merchant_order_id == *payment;
    refunds.iter().filter(of_payment).cloned().collect()
}

impl From<RefundError> for AppError {
    fn from(error: RefundError) -> AppError {
        let text = error.to_string();
        match error {
            RefundError::NothingLeft | RefundError::RestKept(_) => {
                AppError::new(ErrorCode::NothingToRefund, text)
            }
            RefundError::TooMuch { .. } | RefundError::TooManyPacks(_) => {
                AppError::new(ErrorCode::RefundExceedsPayment, text)
            }
            RefundError::TooSmall => AppError::invalid(text).with_field("amount"),
            RefundError::NoPacks | RefundError::UnknownProduct(_) => {
                AppError::invalid(text).with_field("lines")
            }
        }
    }
}
