//! From a cart to a payment page. The order is written first, with its goods taken out of stock, in one
//! transaction; the gateway is asked only after that has been committed.

use std::time::Duration;

use mirasa_domain::address::SavedAddress;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;
use sha2::{Digest, Sha256};

use super::place_order::OrderDraft;
use crate::addresses::address_not_found;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

/// For so long an attempt may wait for its page; whoever began an older one has died on the way.
const CREATE_PAYMENT_TIMEOUT_MS: i64 = 14_000;
const PAYMENT_PAGE_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Where to go to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutRedirect {
    pub redirect_url: String,
    pub merchant_order_id: String,
}

/// What the shopper asks for. The key makes a repeat harmless.
#[derive(Debug, Clone)]
pub struct CheckoutInput {
    pub address_id: String,
    /// What the page showed; never charged, only compared.
    pub expected_total: Option<Paise>,
    pub idempotency_key: Option<String>,
}

/// What the transaction leaves to be done.
pub(super) enum CheckoutStep {
    /// The same unpaid order, the same page.
    Redirect(CheckoutRedirect),
    /// Ask the gateway for a page.
    CreatePayment(PaymentAttempt, Vec<(ProductId, Stock)>),
    /// Somebody is asking for this order's page right now: a second click, another tab.
    WaitForOtherRequest,
    /// These may have been paid a moment ago, with nobody having told us yet. Better to know that before
    /// they are replaced and the same cart is paid for twice.
    PollPending(Vec<String>),
}

impl Shop {
    pub async fn check_out(
        &self,
        user: &UserId,
        ask: CheckoutInput,
    ) -> Result<CheckoutRedirect, AppError> {
        if ask
            .idempotency_key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.len() > 200)
        {
            let text = "Idempotency-Key must have 1 to 200 characters";
            return Err(AppError::invalid(text).with_field("Idempotency-Key"));
        }
        let mut polled = false;
        loop {
            let (shop, user, ask) = (self.clone(), user.clone(), ask.clone());
            let next = self
                .db
                .write(move |tx| {
                    Box::pin(async move { shop.order_from_cart(tx, &user, &ask, polled).await })
                })
                .await?;
            polled |= matches!(next, CheckoutStep::PollPending(_));
            if let Some(checkout) = self.run_step(next).await? {
                return Ok(checkout);
            }
        }
    }

    /// What the transaction left to do. Goes on though the shopper closes the browser meanwhile. None if
    /// somebody else is at it: look again.
    async fn run_step(&self, next: CheckoutStep) -> Result<Option<CheckoutRedirect>, AppError> {
        match next {
            CheckoutStep::Redirect(checkout) => Ok(Some(checkout)),
            CheckoutStep::WaitForOtherRequest => {
                tokio::time::sleep(PAYMENT_PAGE_RETRY_DELAY).await;
                Ok(None)
            }
            CheckoutStep::PollPending(merchant_order_ids) => {
                for id in merchant_order_ids {
                    self.poll_with_timeout(&id).await;
                }
                Ok(None)
            }
            CheckoutStep::CreatePayment(attempt, left) => {
                let shop = self.finishing();
                let opening = tokio::spawn(async move { shop.create_payment(attempt, left).await });
                let opened = opening.await.map_err(AppError::internal)?;
                opened.map(Some)
            }
        }
    }

    /// A failed order once more: a new order for the same goods, at today's prices.
    pub async fn pay_again(
        &self,
        user: &UserId,
        order_id: String,
    ) -> Result<CheckoutRedirect, AppError> {
        let mut polled = false;
        loop {
            let (shop, user, order_id) = (self.clone(), user.clone(), order_id.clone());
            let next = self
                .db
                .write(move |tx| {
                    Box::pin(async move {
                        shop.order_from_failed_order(tx, &user, &order_id, polled)
                            .await
                    })
                })
                .await?;
            polled |= matches!(next, CheckoutStep::PollPending(_));
            if let Some(checkout) = self.run_step(next).await? {
                return Ok(checkout);
            }
        }
    }

    async fn order_from_failed_order(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        order_id: &str,
        polled: bool,
    ) -> Result<CheckoutStep, AppError> {
        tx.lock_user(user).await?;
        let open_orders = tx.pending_orders_of(user).await?;
        if let Some(look) = pending_to_poll(tx, &open_orders, polled).await? {
            return Ok(look);
        }
        let order = tx
            .order(order_id)
            .await?
            .filter(|order| order.user == *user)
            .ok_or_else(order_not_found)?;
        if !order.is_payable_again() {
            return Err(AppError::new(
                ErrorCode::OrderNotPayable,
                "This order cannot be paid again",
            ));
        }
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
        let held = reserved_products(&open_orders);
        let all: Vec<_> = ids.iter().cloned().chain(held).collect();
        tx.lock_products(&all).await?;
        let products = tx.products_by_id(&ids).await?;
        let wanted = OrderDraft {
            packs: order
                .lines
                .iter()
                .map(|line| (line.product.clone(), line.packs))
                .collect(),
            products,
            address: order.address,
            expected_total: None,
        };
        self.place_order(tx, user, open_orders, wanted).await
    }

    async fn order_from_cart(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        ask: &CheckoutInput,
        polled: bool,
    ) -> Result<CheckoutStep, AppError> {
        let (address, open) = tx
            .begin_checkout(user, &ask.address_id, ask.idempotency_key.as_deref())
            .await?;
        let body_hash = base16ct::lower::encode_string(&Sha256::digest(format!(
            "{}\n{:?}",
            ask.address_id, ask.expected_total
        )));
        let (mut open_orders, mut of_key) = (Vec::new(), None);
        for open in open {
            if open.order.state.payment_status == PaymentStatus::Pending {
                open_orders.push(open.order.clone());
            }
            of_key = of_key.or(open.key_body_hash.map(|hash| (hash, open.order)));
        }
        if let Some(look) = pending_to_poll(tx, &open_orders, polled).await? {
            return Ok(look);
        }
        if let Some((used_for, order)) = of_key {
            if used_for != body_hash {
                return Err(AppError::new(
                    ErrorCode::IdempotencyKeyReused,
                    "This Idempotency-Key was used for another request",
                ));
            }
            let order_id = order.id.clone();
            if let Some(next) = self.resume(tx, order).await? {
                return Ok(next);
            }
            // The order is over: a failure is no answer to be remembered.
            tx.delete_idempotency_keys(&order_id).await?;
        }
        let SavedAddress { address, .. } = address.ok_or_else(address_not_found)?;
        if !open_orders.is_empty() {
            // All in one go: what is held for the open orders, too, is about to move.
            let (cart, _) = tx.cart(user).await?;
            let held = reserved_products(&open_orders);
            let all: Vec<_> = cart
                .into_iter()
                .map(|line| line.product)
                .chain(held)
                .collect();
            tx.lock_products(&all).await?;
        }
        let goods = tx.lock_cart_products(user).await?;
        if goods.is_empty() {
            return Err(AppError::new(ErrorCode::CartEmpty, "Your cart is empty"));
        }
        let mut wanted = OrderDraft {
            packs: Vec::new(),
            products: Vec::new(),
            address,
            expected_total: ask.expected_total,
        };
        for (line, product) in goods {
            wanted.packs.push((line.product, line.packs));
            wanted.products.extend(product);
        }
        let next = self.place_order(tx, user, open_orders, wanted).await?;
        if let Some(key) = &ask.idempotency_key {
            let order_id = match &next {
                CheckoutStep::WaitForOtherRequest | CheckoutStep::PollPending(_) => {
                    return Ok(next);
                }
                CheckoutStep::CreatePayment(attempt, _) => attempt.order_id.clone(),
                CheckoutStep::Redirect(checkout) => {
                    let same = tx
                        .order_by_payment_attempt(&checkout.merchant_order_id)
                        .await?;
                    same.map(|order| order.id).ok_or_else(order_not_found)?
                }
            };
            tx.insert_idempotency_key(user, key, &body_hash, &order_id, self.now_ms())
                .await?;
        }
        Ok(next)
    }

    /// The same key again: the first answer, or, if the program died before there was one, another try.
    /// None if the order has ended unpaid: its page must not be offered again.
    async fn resume(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
    ) -> Result<Option<CheckoutStep>, AppError> {
        if order.state.payment_status == PaymentStatus::Failed {
            return Ok(None);
        }
        let attempt = tx.attempt(&order.merchant_order_id).await?;
        if let Some(redirect_url) = attempt.as_ref().and_then(|a| a.redirect_url.clone()) {
            return Ok(Some(CheckoutStep::Redirect(CheckoutRedirect {
                redirect_url,
                merchant_order_id: order.merchant_order_id,
            })));
        }
        if order.state.payment_status != PaymentStatus::Pending {
            return Ok(None);
        }
        if attempt.is_some_and(|attempt| is_opening(&attempt, self.now_ms())) {
            return Ok(Some(CheckoutStep::WaitForOtherRequest));
        }
        let attempt = self.new_attempt(&order.id, order.state.total, order.expires_at_ms);
        self.add_attempt(tx, &attempt).await?;
        Ok(Some(CheckoutStep::CreatePayment(attempt, Vec::new())))
    }
}

pub(crate) fn reserved_products(open_orders: &[Order]) -> impl Iterator<Item = ProductId> {
    let lines = open_orders.iter().flat_map(|order| &order.lines);
    lines.map(|line| line.product.clone())
}

/// The open orders whose payment should be asked after before anything is replaced.
async fn pending_to_poll(
    tx: &mut dyn Transaction,
    open_orders: &[Order],
    polled: bool,
) -> Result<Option<CheckoutStep>, AppError> {
    let mut open = Vec::new();
    for order in open_orders.iter().filter(|_| !polled) {
        let attempt = tx.attempt(&order.merchant_order_id).await?;
        if attempt.is_some_and(|attempt| attempt.state == PaymentAttemptState::Open) {
            open.push(order.merchant_order_id.clone());
        }
    }
    Ok((!open.is_empty()).then_some(CheckoutStep::PollPending(open)))
}

pub(crate) fn order_not_found() -> AppError {
    AppError::new(ErrorCode::OrderNotFound, "Order not found.")
}

pub(super) fn is_opening(attempt: &PaymentAttempt, now_ms: i64) -> bool {
    attempt.state == PaymentAttemptState::Opening
        && now_ms < attempt.created_at_ms + CREATE_PAYMENT_TIMEOUT_MS
}
