//! The order for these goods, written down with its goods held; or the same one again, if it waits to be paid.

use std::collections::HashMap;

use mirasa_domain::address::Address;
use mirasa_domain::cart::{self, CartError};
use mirasa_domain::end_reason::{CoolDown, UNPAID_COUNTS_FOR_MS, new_deadline_ms};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::Packs;
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use super::checkout::{CheckoutRedirect, CheckoutStep, is_opening};
use crate::payments::end_order::{OrderEnd, fail_order};
use crate::repository::Transaction;
use crate::repository::orders::RecentOrder;
use crate::{AppError, ErrorCode, Shop};

/// The least that the gateway takes.
const MIN_ORDER_TOTAL: Paise = Paise::new(100);

/// What an order is to hold: packs, the products as the database has them now, and where they go.
pub(super) struct OrderDraft {
    pub packs: Vec<(ProductId, Packs)>,
    pub products: Vec<Product>,
    pub address: Address,
    pub expected_total: Option<Paise>,
}

impl Shop {
    /// Writes the order for these goods. Holds that the shopper left open are replaced; the very same
    /// unpaid order is found again instead.
    pub(super) async fn place_order(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        open_orders: Vec<Order>,
        wanted: OrderDraft,
    ) -> Result<CheckoutStep, AppError> {
        let now_ms = self.now_ms();
        let OrderDraft {
            packs: wanted,
            products,
            address,
            expected_total,
        } = wanted;
        let lines = wanted
            .iter()
            .map(|(id, packs)| {
                order_line(
                    products.iter().find(|product| product.id == *id),
                    id,
                    *packs,
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        let total: Paise = lines.iter().map(|line| line.total).sum();
        if expected_total.is_some_and(|expected| expected != total) {
            return Err(AppError::new(
                ErrorCode::TotalChanged,
                "Prices have changed. Please look at your cart again.",
            ));
        }
        if total < MIN_ORDER_TOTAL {
            return Err(AppError::new(
                ErrorCode::OrderTotalTooLow,
                format!("An order must come to at least {MIN_ORDER_TOTAL}"),
            ));
        }
        let max_packs = self.settings.max_packs_per_order;
        let packs: u32 = wanted.iter().map(|(_, packs)| packs.count()).sum();
        if max_packs > 0 && packs > max_packs {
            return Err(AppError::new(
                ErrorCode::PackLimitExceeded,
                format!("An order can have at most {max_packs} packs. Yours has {packs}."),
            ));
        }
        // Back button or second tab: an unpaid order for the same goods to the same door is the same order.
        for open in &open_orders {
            if open.deleted_at_ms.is_none()
                && open.lines == lines
                && open.address == address
                && let Some(attempt) = tx.attempt(&open.merchant_order_id).await?
                && let Some(next) = reusable_page(attempt, now_ms)
            {
                return Ok(next);
            }
        }
        let endings: Vec<_> = open_orders
            .iter()
            .map(|open| OrderEnd::replaced(open, now_ms))
            .collect();
        self.check_cool_down(tx, user, &endings).await?;
        let first_deadline_ms = open_orders.iter().map(|open| open.expires_at_ms).min();
        let mut freed = Vec::new();
        for (open, end) in open_orders.into_iter().zip(endings) {
            freed.extend(fail_order(self, tx, open, end).await?);
        }
        // Only now: the shopper's own open hold must not stand in the way.
        let mut left: HashMap<_, _> = products
            .into_iter()
            .map(|product| (product.id, product.stock))
            .chain(freed)
            .collect();
        for line in &lines {
            let stock = left.entry(line.product.clone()).or_default();
            *stock = stock.checked_sub(line.packs).map_err(CartError::from)?;
        }
        let deadline_ms = new_deadline_ms(first_deadline_ms, now_ms);
        let attempt = self.new_attempt(&self.ids.new_id(), total, deadline_ms);
        let order = Order {
            id: attempt.order_id.clone(),
            user: user.clone(),
            merchant_order_id: attempt.merchant_order_id.clone(),
            state: OrderState {
                total,
                payment_status: PaymentStatus::Pending,
                order_status: OrderStatus::Pending,
                stock_reserved: true,
                end_reason: None,
            },
            payment_error: None,
            paid_by_attempt: None,
            address,
            expires_at_ms: attempt.expires_at_ms,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
            deleted_at_ms: None,
            lines,
        };
        tx.insert_order(&order).await?;
        tx.reserve_stock(&order.id, &order.lines, now_ms).await?;
        self.insert_attempt(tx, &attempt).await?;
        Ok(CheckoutStep::CreatePayment(
            attempt,
            left.into_iter().collect(),
        ))
    }

    /// Refuses a new order after too many unpaid ones in a row. `endings` are those of the open orders that the new
    /// one would replace.
    async fn check_cool_down(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        endings: &[OrderEnd],
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let recent = tx
            .recent_orders(user, now_ms - UNPAID_COUNTS_FOR_MS)
            .await?
            .ok_or_else(AppError::not_authenticated)?;
        let ending_now = endings.iter().filter(|end| end.reason.is_unpaid());
        let mut ends_ms: Vec<_> = ending_now.map(|_| now_ms).collect();
        for order in recent {
            match order {
                RecentOrder::Paid => break,
                RecentOrder::Unpaid { ended_at_ms } => ends_ms.push(ended_at_ms),
            }
        }
        CoolDown::after(&ends_ms, now_ms).map_or(Ok(()), |cool_down| Err(cool_down.into()))
    }
}

/// The line at today's price. What stands in the way is said in the cart's own words.
fn order_line(
    product: Option<&Product>,
    id: &ProductId,
    packs: Packs,
) -> Result<OrderLine, AppError> {
    let name = product.map_or(id.0.as_str(), |product| &product.details.product_name);
    let product = product
        .filter(|product| product.is_visible)
        .ok_or_else(|| {
            AppError::new(
                ErrorCode::ProductUnavailable,
                format!("{name} is no longer available. Please remove it from your cart."),
            )
        })?;
    let about = &product.details;
    if !about.prices().has_price_for(packs) {
        return Err(CartError::PackSizeNotSold.into());
    }
    let line = cart::CartLine {
        product: id.clone(),
        packs,
        last_seen_prices: about.prices(),
    };
    let priced = cart::price_line(line, Some(product));
    Ok(OrderLine {
        product: id.clone(),
        product_name: about.product_name.clone(),
        image: about
            .images
            .first()
            .map(|picture| picture.file.clone())
            .unwrap_or_default(),
        packs,
        prices: about.prices(),
        total: priced.total,
    })
}

/// Where the same unpaid order is being paid, if its page is still good for a while.
fn reusable_page(attempt: PaymentAttempt, now_ms: i64) -> Option<CheckoutStep> {
    if is_opening(&attempt, now_ms) {
        return Some(CheckoutStep::WaitForOtherRequest);
    }
    if attempt.state != PaymentAttemptState::Open || attempt.expires_at_ms <= now_ms + 60_000 {
        return None;
    }
    Some(CheckoutStep::Redirect(CheckoutRedirect {
        redirect_url: attempt.redirect_url?,
        merchant_order_id: attempt.merchant_order_id,
    }))
}
