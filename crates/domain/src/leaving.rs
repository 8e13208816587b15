//! Which orders may leave the shop.

use crate::order::Order;
use crate::refund::Refund;

/// What an admin has confirmed about an order that leaves the shop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeavingConfirmation {
    pub even_if_refunded: bool,
    pub even_if_unpaid: bool,
}

/// How an order may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    AsItIs,
    /// An admin has decided now to send packs whose money went back. The order keeps this.
    WithRefundedPacks,
}

/// Why an order stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeavingRefused {
    NotPaid,
    NothingToSend,
}

/// Orders with nothing left to send stay, unless the admin confirms it. Packs that are back in stock always stay.
pub fn check_packs_to_send(
    order: &Order,
    refunds: &[Refund],
    confirmed: LeavingConfirmation,
) -> Result<Leaving, LeavingRefused> {
    if order.has_packs_to_send(refunds) {
        Ok(Leaving::AsItIs)
    } else if order.is_in_stock_again() || !confirmed.even_if_refunded {
        Err(LeavingRefused::NothingToSend)
    } else {
        Ok(Leaving::WithRefundedPacks)
    }
}

/// For an admin who has seen the order and sets it to shipped or delivered.
pub fn check_leaving(
    order: &Order,
    refunds: &[Refund],
    confirmed: LeavingConfirmation,
) -> Result<Leaving, LeavingRefused> {
    if order.is_paid() {
        return check_packs_to_send(order, refunds, confirmed);
    }
    if order.state.stock_reserved && confirmed.even_if_unpaid {
        return Ok(Leaving::AsItIs);
    }
    Err(LeavingRefused::NotPaid)
}
