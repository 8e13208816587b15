//! A new order: its lines at current prices, whether it may be placed, which unpaid orders it replaces, and what it leaves in
//! stock.

use std::collections::HashMap;

use crate::address::Address;
use crate::cart::{self, CartError};
use crate::discount::{Discount, DiscountUses, DiscountableLine, NotApplicable};
use crate::end_reason::new_deadline_ms;
use crate::id::{ProductId, UserId};
use crate::money::Paise;
use crate::order::{Order, OrderDiscount, OrderLine, OrderState, OrderStatus, PaymentStatus};
use crate::order_end::OrderEnd;
use crate::pack::Packs;
use crate::payment::{MIN_PAYMENT, PaymentAttempt};
use crate::product::Product;
use crate::stock::Stock;

/// What a customer orders: packs, the products as they are in the database, and the address.
#[derive(Debug, Clone)]
pub struct OrderDraft {
    pub packs: Vec<(ProductId, Packs)>,
    pub products: Vec<Product>,
    pub address: Address,
    /// What the customer has seen.
    pub expected_total: Option<Paise>,
    /// The code, with its uses.
    pub discount: Option<(Discount, DiscountUses)>,
}

/// A draft that may be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedOrder {
    pub lines: Vec<OrderLine>,
    pub discount: Option<OrderDiscount>,
    pub total: Paise,
    pub address: Address,
}

/// Why an order is not placed. The customer reads it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderRefused {
    #[error("{0} is no longer available. Please remove it from your cart.")]
    Unavailable(String),
    /// The same messages as in the cart.
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error("The code {code} cannot be used. {reason}")]
    Discount { code: String, reason: NotApplicable },
    #[error("Prices have changed. Please look at your cart again.")]
    TotalChanged,
    #[error("An order must come to at least {MIN_PAYMENT}")]
    TotalTooLow,
    #[error("An order can have at most {most} packs. Yours has {packs}.")]
    TooManyPacks { most: u32, packs: u32 },
}

/// Prices a draft. `max_packs` of 0 is no limit.
pub fn price(draft: &OrderDraft, max_packs: u32, now_ms: i64) -> Result<PricedOrder, OrderRefused> {
    let mut lines = draft
        .packs
        .iter()
        .map(|(id, packs)| order_line(product(&draft.products, id), id, *packs))
        .collect::<Result<Vec<_>, _>>()?;
    let full_total = total_of(&lines);
    // Before the total is compared: a customer whose code has run out reads that, and not that prices have changed.
    let discount = draft
        .discount
        .as_ref()
        .map(|(discount, uses)| take_off(discount, *uses, &mut lines, &draft.products, now_ms))
        .transpose()?;
    let total = total_of(&lines);
    if draft
        .expected_total
        .is_some_and(|expected| expected != total)
    {
        return Err(OrderRefused::TotalChanged);
    }
    if full_total < MIN_PAYMENT {
        return Err(OrderRefused::TotalTooLow);
    }
    let packs = lines.iter().map(|line| line.packs.count()).sum();
    if max_packs > 0 && packs > max_packs {
        return Err(OrderRefused::TooManyPacks {
            most: max_packs,
            packs,
        });
    }
    Ok(PricedOrder {
        lines,
        discount,
        total,
        address: draft.address.clone(),
    })
}

impl PricedOrder {
    /// Back button or second tab: an unpaid order with the same items, code and address is the same order.
    pub fn is_same_as(&self, pending: &Order) -> bool {
        pending.deleted_at_ms.is_none()
            && pending.lines == self.lines
            && pending.discount == self.discount
            && pending.address == self.address
    }

    /// The stock that the order leaves. `released` is the stock after the orders that it replaces have ended, so that the
    /// customer's own reservation does not count against them.
    pub fn stock_left(
        &self,
        products: &[Product],
        released: Vec<(ProductId, Stock)>,
    ) -> Result<Vec<(ProductId, Stock)>, CartError> {
        let mut left: HashMap<_, _> = products
            .iter()
            .map(|product| (product.id.clone(), product.stock))
            .chain(released)
            .collect();
        for line in &self.lines {
            let stock = left.entry(line.product.clone()).or_default();
            let too_old = product(products, &line.product).map_or(0, |one| one.too_old_grams);
            stock.without_grams(too_old).check_available(line.packs)?;
            *stock = stock.checked_sub(line.packs)?;
        }
        Ok(left.into_iter().collect())
    }

    /// The order with its first payment attempt. Its stock is reserved.
    pub fn place(self, user: UserId, attempt: &PaymentAttempt, now_ms: i64) -> Order {
        Order {
            id: attempt.order_id.clone(),
            user,
            merchant_order_id: attempt.merchant_order_id.clone(),
            state: OrderState {
                total: self.total,
                payment_status: PaymentStatus::Pending,
                order_status: OrderStatus::Pending,
                stock_reserved: true,
                end_reason: None,
            },
            payment_error: None,
            paid_by_attempt: None,
            address: self.address,
            expires_at_ms: attempt.expires_at_ms,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
            deleted_at_ms: None,
            delivered_at_ms: None,
            packed_at_ms: None,
            version: 0,
            sends_refunded: false,
            replaces_order_id: None,
            discount: self.discount,
            lines: self.lines,
        }
    }
}

/// The unpaid orders that a new one replaces, and how they end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub ends: Vec<(Order, OrderEnd)>,
    /// Until when the new order can be paid.
    pub deadline_ms: i64,
}

/// An order that has left the shop is not replaced.
pub fn can_be_replaced(pending: &Order) -> bool {
    !pending.state.order_status.has_left_shop()
}

pub fn replace(pending: Vec<Order>, now_ms: i64) -> Replacement {
    let first_deadline_ms = pending.iter().map(|order| order.expires_at_ms).min();
    let ends = pending
        .into_iter()
        .map(|order| {
            let end = OrderEnd::replaced(order.expires_at_ms, now_ms);
            (order, end)
        })
        .collect();
    Replacement {
        ends,
        deadline_ms: new_deadline_ms(first_deadline_ms, now_ms),
    }
}

fn product<'p>(products: &'p [Product], id: &ProductId) -> Option<&'p Product> {
    products.iter().find(|product| product.id == *id)
}

fn total_of(lines: &[OrderLine]) -> Paise {
    lines.iter().map(|line| line.total).sum()
}

/// The line at the current price.
fn order_line(
    product: Option<&Product>,
    id: &ProductId,
    packs: Packs,
) -> Result<OrderLine, OrderRefused> {
    let name = product.map_or(id.0.as_str(), |product| &product.details.product_name);
    let product = product
        .filter(|product| product.is_visible)
        .ok_or_else(|| OrderRefused::Unavailable(name.to_owned()))?;
    let details = &product.details;
    if !details.prices().has_price_for(packs) {
        return Err(CartError::PackSizeNotSold.into());
    }
    let line = cart::CartLine {
        product: id.clone(),
        packs,
        last_seen_prices: details.prices(),
    };
    let priced = cart::price_line(line, Some(product));
    let image = details.images.first();
    Ok(OrderLine {
        product: id.clone(),
        product_name: details.product_name.clone(),
        image: image.map(|image| image.file.clone()).unwrap_or_default(),
        packs,
        prices: details.prices(),
        discount: Paise::ZERO,
        total: priced.total,
        restocked: Packs::ZERO,
    })
}

/// Takes the saving of a code off the lines. An order is never placed without the code that its customer has entered.
fn take_off(
    discount: &Discount,
    uses: DiscountUses,
    lines: &mut [OrderLine],
    products: &[Product],
    now_ms: i64,
) -> Result<OrderDiscount, OrderRefused> {
    let code = discount.code.as_str().to_owned();
    let discountable: Vec<_> = lines
        .iter()
        .map(|line| DiscountableLine {
            product: &line.product,
            categories: product(products, &line.product)
                .map_or(&[], |product| &product.details.category),
            total: line.total,
        })
        .collect();
    let savings = match discount.terms.savings(&discountable, uses, now_ms) {
        Ok(savings) => savings,
        Err(reason) => return Err(OrderRefused::Discount { code, reason }),
    };
    for (line, saving) in lines.iter_mut().zip(&savings) {
        line.discount = *saving;
        line.total = line.total - *saving;
    }
    Ok(OrderDiscount {
        discount_id: discount.id.clone(),
        code,
        amount: savings.into_iter().sum(),
    })
}

#[cfg(test)]
mod tests;
