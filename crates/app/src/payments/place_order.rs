//! Places an order: writes it, reserves its stock and adds the first payment attempt. An equal unpaid order is reused.

use std::collections::HashMap;

use mirasa_domain::address::Address;
use mirasa_domain::cart::{self, CartError};
use mirasa_domain::end_reason::{CoolDown, UNPAID_COUNTS_FOR_MS, new_deadline_ms};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::pack::Packs;
use mirasa_domain::payment::{MIN_PAYMENT, PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::cart::discounts::LockedDiscount;
use crate::payments::checkout_step::{CheckoutRedirect, CheckoutStep, is_opening};
use crate::payments::end_order::fail_order;
use crate::repository::Transaction;
use crate::repository::orders::RecentOrder;
use crate::repository::payments::PaymentDetails;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

/// The contents of a new order: packs, the products as they are in the database, and the address.
pub(super) struct OrderDraft {
    pub packs: Vec<(ProductId, Packs)>,
    pub products: Vec<Product>,
    pub address: Address,
    pub expected_total: Option<Paise>,
    pub discount: Option<LockedDiscount>,
}

impl Shop {
    /// Writes the order. Pending orders of the customer are replaced. If one of them has the same items and address,
    /// it is reused.
    pub(super) async fn place_order(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        mut pending_orders: Vec<Order>,
        draft: OrderDraft,
    ) -> Result<CheckoutStep, AppError> {
        // An order that has left the shop is not replaced.
        pending_orders.retain(|order| !order.state.order_status.has_left_shop());
        let now_ms = self.now_ms();
        let OrderDraft {
            packs: draft_packs,
            products,
            address,
            expected_total,
            discount,
        } = draft;
        let mut lines = draft_packs
            .iter()
            .map(|(id, packs)| {
                order_line(
                    products.iter().find(|product| product.id == *id),
                    id,
                    *packs,
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        let full_total: Paise = lines.iter().map(|line| line.total).sum();
        // Before the total is compared: a customer whose code has run out reads that, and not that prices have changed.
        let discount = discount
            .map(|discount| discount.apply(&mut lines, &products, now_ms))
            .transpose()?;
        let total: Paise = lines.iter().map(|line| line.total).sum();
        if expected_total.is_some_and(|expected| expected != total) {
            return Err(AppError::new(
                ErrorCode::TotalChanged,
                "Prices have changed. Please look at your cart again.",
            ));
        }
        if full_total < MIN_PAYMENT {
            return Err(AppError::new(
                ErrorCode::OrderTotalTooLow,
                format!("An order must come to at least {MIN_PAYMENT}"),
            ));
        }
        let max_packs = self.settings.max_packs_per_order;
        let packs: u32 = draft_packs.iter().map(|(_, packs)| packs.count()).sum();
        if max_packs > 0 && packs > max_packs {
            return Err(AppError::new(
                ErrorCode::PackLimitExceeded,
                format!("An order can have at most {max_packs} packs. Yours has {packs}."),
            ));
        }
        // Back button or second tab: an unpaid order with the same items, code and address is the same order.
        for pending in &pending_orders {
            if pending.deleted_at_ms.is_none()
                && pending.lines == lines
                && pending.discount == discount
                && pending.address == address
                && let Some(attempt) = tx.attempt(&pending.merchant_order_id).await?
                && let Some(step) = reusable_page(attempt, now_ms)
            {
                return Ok(step);
            }
        }
        let ends: Vec<_> = pending_orders
            .iter()
            .map(|pending| OrderEnd::replaced(pending.expires_at_ms, now_ms))
            .collect();
        self.check_cool_down(tx, user, &ends).await?;
        let first_deadline_ms = pending_orders
            .iter()
            .map(|pending| pending.expires_at_ms)
            .min();
        let mut released = Vec::new();
        for (pending, end) in pending_orders.into_iter().zip(ends) {
            released.extend(fail_order(self, tx, pending, end).await?);
        }
        // The stock is checked after the release, so that the customer's own reservation does not count against them.
        let too_old: HashMap<_, _> = products
            .iter()
            .map(|product| (product.id.clone(), product.too_old_grams))
            .collect();
        let mut left: HashMap<_, _> = products
            .into_iter()
            .map(|product| (product.id, product.stock))
            .chain(released)
            .collect();
        for line in &lines {
            let stock = left.entry(line.product.clone()).or_default();
            let too_old = too_old.get(&line.product).copied().unwrap_or_default();
            let sellable = stock.without_grams(too_old);
            sellable
                .check_available(line.packs)
                .map_err(CartError::from)?;
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
            delivered_at_ms: None,
            packed_at_ms: None,
            version: 0,
            sends_refunded: false,
            replaces_order_id: None,
            discount,
            lines,
        };
        tx.insert_order(&order).await?;
        tx.reserve_stock(&order.id, &order.lines, now_ms).await?;
        let left = left.into_iter().collect();
        if total == Paise::ZERO {
            let redirect = self.complete_free_order(tx, order, attempt).await?;
            return Ok(CheckoutStep::Paid(redirect, left));
        }
        self.insert_attempt(tx, &attempt).await?;
        Ok(CheckoutStep::CreatePayment(attempt, left))
    }

    /// There is nothing to pay, so the gateway is not called. The order has a completed attempt of zero, so that all that
    /// follows a payment is the same for it.
    async fn complete_free_order(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
        attempt: PaymentAttempt,
    ) -> Result<CheckoutRedirect, AppError> {
        let id = attempt.merchant_order_id.clone();
        let redirect_url = self.payment_result_url(&id);
        let attempt = PaymentAttempt {
            state: PaymentAttemptState::Completed,
            redirect_url: Some(redirect_url.clone()),
            ..attempt
        };
        self.insert_attempt(tx, &attempt).await?;
        let details = PaymentDetails {
            received: Some(Paise::ZERO),
            ..PaymentDetails::default()
        };
        tx.close_attempt(&id, attempt.state, details).await?;
        let user = tx.user(&order.user).await?;
        let recipient = user.map(|user| (user.email, user.name));
        self.complete_order(tx, order, recipient, &id).await?;
        failpoint("completing a free order");
        Ok(CheckoutRedirect {
            redirect_url,
            merchant_order_id: id,
        })
    }

    /// Rejects a new order after too many unpaid ones in a row. `ends` are those of the pending orders that the new
    /// one replaces.
    async fn check_cool_down(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        ends: &[OrderEnd],
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let recent = tx
            .recent_orders(user, now_ms - UNPAID_COUNTS_FOR_MS)
            .await?
            .ok_or_else(AppError::not_authenticated)?;
        let unpaid_now = ends.iter().filter(|end| end.reason.is_unpaid());
        let mut ends_ms: Vec<_> = unpaid_now.map(|_| now_ms).collect();
        for order in recent {
            match order {
                RecentOrder::Paid => break,
                RecentOrder::Unpaid { ended_at_ms } => ends_ms.push(ended_at_ms),
            }
        }
        CoolDown::after(&ends_ms, now_ms).map_or(Ok(()), |cool_down| Err(cool_down.into()))
    }
}

/// The line at the current price. Errors have the same messages as in the cart.
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
    Ok(OrderLine {
        product: id.clone(),
        product_name: details.product_name.clone(),
        image: details
            .images
            .first()
            .map(|image| image.file.clone())
            .unwrap_or_default(),
        packs,
        prices: details.prices(),
        discount: Paise::ZERO,
        total: priced.total,
        restocked: Packs::ZERO,
    })
}

/// The payment page of the same unpaid order, if it stays valid for another minute.
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
