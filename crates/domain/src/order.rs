//! The order and its states. What a payment changes is in `settlement`; what an admin does with the shipment is free.

use crate::address::Address;
use crate::end_reason::EndReason;
pub use crate::id::OrderId;
use crate::id::{AttemptId, DiscountId, ProductId, UserId};
use crate::invoice::spread;
use crate::ist;
use crate::money::Paise;
use crate::pack::{PackSize, Packs, Prices, SizedPacks};

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum PaymentStatus {
        Completed = "completed",
        Failed = "failed",
        Pending = "pending",
    }
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum OrderStatus {
        Pending = "pending",
        Confirmed = "confirmed",
        Shipped = "shipped",
        Delivered = "delivered",
        Cancelled = "cancelled",
        /// No delivery partner is integrated.
        NotApplicable = "N/A",
    }
}

impl OrderStatus {
    /// Whether the items have been handed over.
    pub const fn has_left_shop(self) -> bool {
        matches!(self, OrderStatus::Shipped | OrderStatus::Delivered)
    }
}

/// As much of an order as its payment depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderState {
    pub total: Paise,
    pub payment_status: PaymentStatus,
    pub order_status: OrderStatus,
    /// Whether the order's items are taken out of the stock now.
    pub stock_reserved: bool,
    /// Why it ended unpaid. Orders that failed before reasons were stored have none.
    pub end_reason: Option<EndReason>,
}

impl OrderState {
    pub fn completed(self) -> OrderState {
        // A status that an admin has set, such as shipped, stays.
        let order_status = match self.order_status {
            OrderStatus::Pending | OrderStatus::Cancelled => OrderStatus::Confirmed,
            other => other,
        };
        OrderState {
            payment_status: PaymentStatus::Completed,
            order_status,
            stock_reserved: true,
            end_reason: None,
            ..self
        }
    }

    pub fn failed(self, reason: EndReason) -> OrderState {
        OrderState {
            payment_status: PaymentStatus::Failed,
            order_status: OrderStatus::Cancelled,
            stock_reserved: false,
            end_reason: Some(reason),
            ..self
        }
    }

    /// The state after an admin or the customer ended the order. A paid order does not change, and the first
    /// deliberate reason is kept. None if nothing changes.
    pub fn ended_deliberately(self, reason: EndReason) -> Option<OrderState> {
        let is_decided = self.end_reason.is_some_and(EndReason::is_deliberate);
        match self.payment_status {
            PaymentStatus::Pending => Some(self.failed(reason)),
            PaymentStatus::Failed if !is_decided => Some(OrderState {
                end_reason: Some(reason),
                ..self
            }),
            PaymentStatus::Failed | PaymentStatus::Completed => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub user: UserId,
    /// That of the newest attempt.
    pub merchant_order_id: AttemptId,
    pub state: OrderState,
    pub payment_error: Option<String>,
    pub paid_by_attempt: Option<AttemptId>,
    /// A copy of the address that the customer selected.
    pub address: Address,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
    pub deleted_at_ms: Option<i64>,
    pub delivered_at_ms: Option<i64>,
    pub packed_at_ms: Option<i64>,
    /// The order whose items this one replaces, free of charge.
    pub replaces_order_id: Option<OrderId>,
    pub discount: Option<OrderDiscount>,
    pub lines: Vec<OrderLine>,
    /// Grows with each change that an admin's page shows.
    pub version: i64,
    /// An admin has decided to send the packs although all money went back.
    pub sends_refunded: bool,
}

/// The code that an order was placed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDiscount {
    pub discount_id: DiscountId,
    /// As it was when the order was placed.
    pub code: String,
    /// The sum of the lines' discounts.
    pub amount: Paise,
}

/// `01a2…9F3C21AB` is shown as its last 8 characters in capitals, on every page and in every email.
pub fn short_id(id: &OrderId) -> String {
    let tail: String = id
        .as_str()
        .chars()
        .rev()
        .take(8)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    tail.to_uppercase()
}

impl Order {
    pub fn is_payable_again(&self) -> bool {
        self.state.payment_status == PaymentStatus::Failed
    }

    pub fn is_paid(&self) -> bool {
        self.state.payment_status == PaymentStatus::Completed
    }

    /// `2 × Goda Masala (50 g), 1 × Chai Masala (100 g)`
    pub fn describe_packs(&self, packs: &[(ProductId, Packs)]) -> String {
        let mut parts = Vec::new();
        for (product, packs) in packs {
            let Some(line) = self.lines.iter().find(|line| line.product == *product) else {
                continue;
            };
            for (size, count) in [
                (PackSize::G50, packs.of_50g),
                (PackSize::G100, packs.of_100g),
            ] {
                if count > 0 {
                    parts.push(format!("{count} × {}", line.item_name(size)));
                }
            }
        }
        parts.join(", ")
    }

    /// What the code has saved.
    pub fn saving(&self) -> Paise {
        self.discount
            .as_ref()
            .map_or(Paise::ZERO, |discount| discount.amount)
    }

    /// Until when the customer may cancel the order: on the day, in India, on which it was placed, before it is shipped.
    pub fn cancellable_until_ms(&self, now_ms: i64) -> Result<i64, NotCancellable> {
        let is_open = matches!(
            self.state.order_status,
            OrderStatus::Pending | OrderStatus::Confirmed
        );
        if !is_open || self.state.payment_status == PaymentStatus::Failed {
            return Err(NotCancellable::Status(self.state.order_status));
        }
        let until_ms = ist::day_end_ms(self.created_at_ms);
        if now_ms > until_ms {
            return Err(NotCancellable::DayOver);
        }
        Ok(until_ms)
    }

    /// Until when the customer may report a problem: on the day, in India, of the delivery.
    pub fn reportable_until_ms(&self) -> Option<i64> {
        let is_delivered = self.state.order_status == OrderStatus::Delivered;
        let delivered_at_ms = self.delivered_at_ms.filter(|_| is_delivered)?;
        Some(ist::day_end_ms(delivered_at_ms))
    }
}

/// Why a customer cannot cancel an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCancellable {
    Status(OrderStatus),
    DayOver,
}

/// Names and prices at the time of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    pub product: ProductId,
    pub product_name: String,
    pub image: String,
    pub packs: Packs,
    pub prices: Prices,
    /// The line's share of the order's discount.
    pub discount: Paise,
    /// What is paid for the line: the packs at their prices, less the discount.
    pub total: Paise,
    /// Packs of a paid order that went back into stock.
    pub restocked: Packs,
}

impl OrderLine {
    /// One item for each ordered pack size, at full price.
    pub fn items(&self) -> impl Iterator<Item = SizedPacks> {
        self.prices.by_size(self.packs)
    }

    /// The same with each item's share of the discount. The shares add up to it.
    pub fn items_with_discount(&self) -> impl Iterator<Item = (SizedPacks, Paise)> {
        let items: Vec<_> = self.items().collect();
        let weights: Vec<_> = items.iter().map(|item| item.total()).collect();
        // As the invoice spreads what is paid for the line.
        let paid = spread(self.total, &weights);
        items
            .into_iter()
            .zip(paid)
            .map(|(item, paid)| (item, item.total() - paid))
    }

    /// `Goda Masala (100 g)`, for texts with one line for each item.
    pub fn item_name(&self, size: PackSize) -> String {
        format!("{} ({size})", self.product_name)
    }
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
