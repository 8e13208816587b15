//! From a cart to a payment page. The order is written first, with its goods taken out of stock, in one
//! transaction; the gateway is asked only after that has been committed.

mod opening;
mod placing;

use std::time::Duration;

use mirasa_domain::money::Paise;
use mirasa_domain::order::PaymentStatus;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;
use sha2::{Digest, Sha256};

use self::placing::Wanted;
use crate::ports::orders::{Attempt, AttemptState, Order};
use crate::ports::storage::{SavedAddress, Writes};
use crate::{AppError, ErrorKind, Shop};

/// For so long an attempt may wait for its page; whoever began an older one has died on the way.
const OPENING_MS: i64 = 14_000;
const LOOK_FOR_PAGE: Duration = Duration::from_millis(100);

/// Where to go to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    pub redirect_url: String,
    pub merchant_order_id: String,
}

/// What the shopper asks for. The key makes a repeat harmless.
#[derive(Debug, Clone)]
pub struct CheckoutAsk {
    pub address_id: String,
    /// What the page showed; never charged, only compared.
    pub expected_total: Option<Paise>,
    pub key: Option<String>,
}

/// What the transaction leaves to be done.
enum Next {
    /// The same unpaid order, the same page.
    Pay(Checkout),
    /// Ask the gateway for a page.
    Open(Attempt, Vec<(ProductId, Stock)>),
    /// Somebody is asking for this order's page right now: a second click, another tab.
    Wait,
    /// These may have been paid a moment ago, with nobody having told us yet. Better to know that before
    /// they are replaced and the same cart is paid for twice.
    Look(Vec<String>),
}

impl Shop {
    pub async fn check_out(&self, user: &UserId, ask: CheckoutAsk) -> Result<Checkout, AppError> {
        if ask
            .key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.len() > 200)
        {
            return Err(AppError::invalid(
                "Idempotency-Key must have 1 to 200 characters",
            ));
        }
        let mut looked = false;
        loop {
            let (shop, user, ask) = (self.clone(), user.clone(), ask.clone());
            let next = self
                .db
                .write(move |writes| {
                    Box::pin(async move { shop.write_order(writes, &user, &ask, looked).await })
                })
                .await?;
            looked |= matches!(next, Next::Look(_));
            if let Some(checkout) = self.follow(next).await? {
                return Ok(checkout);
            }
        }
    }

    /// What the transaction left to do. Goes on though the shopper closes the browser meanwhile. None if
    /// somebody else is at it: look again.
    async fn follow(&self, next: Next) -> Result<Option<Checkout>, AppError> {
        match next {
            Next::Pay(checkout) => Ok(Some(checkout)),
            Next::Wait => {
                tokio::time::sleep(LOOK_FOR_PAGE).await;
                Ok(None)
            }
            Next::Look(merchant_order_ids) => {
                for id in merchant_order_ids {
                    self.look_soon(&id).await;
                }
                Ok(None)
            }
            Next::Open(attempt, left) => {
                let shop = self.finishing();
                let opening = tokio::spawn(async move { shop.open_payment(attempt, left).await });
                let opened = opening.await.map_err(AppError::internal)?;
                opened.map(Some)
            }
        }
    }

    /// A failed order once more: a new order for the same goods, at today's prices.
    pub async fn pay_again(&self, user: &UserId, order_id: String) -> Result<Checkout, AppError> {
        let mut looked = false;
        loop {
            let (shop, user, order_id) = (self.clone(), user.clone(), order_id.clone());
            let next = self
                .db
                .write(move |writes| {
                    Box::pin(async move {
                        shop.write_order_again(writes, &user, &order_id, looked)
                            .await
                    })
                })
                .await?;
            looked |= matches!(next, Next::Look(_));
            if let Some(checkout) = self.follow(next).await? {
                return Ok(checkout);
            }
        }
    }

    async fn write_order_again(
        &self,
        writes: &mut dyn Writes,
        user: &UserId,
        order_id: &str,
        looked: bool,
    ) -> Result<Next, AppError> {
        writes.lock_shopper(user).await?;
        let open_orders = writes.pending_orders_of(user).await?;
        if let Some(look) = look_first(writes, &open_orders, looked).await? {
            return Ok(look);
        }
        let order = writes
            .order(order_id)
            .await?
            .filter(|order| order.user == *user)
            .ok_or_else(no_such_order)?;
        if !order.is_payable_again() {
            return Err(AppError::conflict("This order cannot be paid again"));
        }
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
        let held = held_products(&open_orders);
        let all: Vec<_> = ids.iter().cloned().chain(held).collect();
        writes.lock_products(&all).await?;
        let products = writes.products_by_id(&ids).await?;
        let wanted = Wanted {
            packs: order
                .lines
                .iter()
                .map(|line| (line.product.clone(), line.packs))
                .collect(),
            products,
            address: order.address,
            expected_total: None,
        };
        self.place(writes, user, open_orders, wanted).await
    }

    async fn write_order(
        &self,
        writes: &mut dyn Writes,
        user: &UserId,
        ask: &CheckoutAsk,
        looked: bool,
    ) -> Result<Next, AppError> {
        let (address, open) = writes
            .begin_checkout(user, &ask.address_id, ask.key.as_deref())
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
        if let Some(look) = look_first(writes, &open_orders, looked).await? {
            return Ok(look);
        }
        if let Some((used_for, order)) = of_key {
            if used_for != body_hash {
                return Err(AppError::new(
                    ErrorKind::Unprocessable,
                    "This Idempotency-Key was used for another request",
                ));
            }
            let order_id = order.id.clone();
            if let Some(next) = self.resume(writes, order).await? {
                return Ok(next);
            }
            // The order is over: a failure is no answer to be remembered.
            writes.forget_keys_of(&order_id).await?;
        }
        let missing = || AppError::not_found("Address not found.");
        let SavedAddress { address, .. } = address.ok_or_else(missing)?;
        if !open_orders.is_empty() {
            // All in one go: what is held for the open orders, too, is about to move.
            let (cart, _) = writes.cart(user).await?;
            let held = held_products(&open_orders);
            let all: Vec<_> = cart
                .into_iter()
                .map(|line| line.product)
                .chain(held)
                .collect();
            writes.lock_products(&all).await?;
        }
        let goods = writes.cart_goods(user).await?;
        if goods.is_empty() {
            return Err(AppError::invalid("Your cart is empty"));
        }
        let mut wanted = Wanted {
            packs: Vec::new(),
            products: Vec::new(),
            address,
            expected_total: ask.expected_total,
        };
        for (line, product) in goods {
            wanted.packs.push((line.product, line.packs));
            wanted.products.extend(product);
        }
        let next = self.place(writes, user, open_orders, wanted).await?;
        if let Some(key) = &ask.key {
            let order_id = match &next {
                Next::Wait | Next::Look(_) => return Ok(next),
                Next::Open(attempt, _) => attempt.order_id.clone(),
                Next::Pay(checkout) => {
                    let same = writes.order_by_attempt(&checkout.merchant_order_id).await?;
                    same.map(|order| order.id).ok_or_else(no_such_order)?
                }
            };
            writes
                .insert_key(user, key, &body_hash, &order_id, self.now_ms())
                .await?;
        }
        Ok(next)
    }

    /// The same key again: the first answer, or, if the program died before there was one, another try.
    /// None if the order has ended unpaid: its page must not be offered again.
    async fn resume(
        &self,
        writes: &mut dyn Writes,
        order: Order,
    ) -> Result<Option<Next>, AppError> {
        if order.state.payment_status == PaymentStatus::Failed {
            return Ok(None);
        }
        let attempt = writes.attempt(&order.merchant_order_id).await?;
        if let Some(redirect_url) = attempt.as_ref().and_then(|a| a.redirect_url.clone()) {
            return Ok(Some(Next::Pay(Checkout {
                redirect_url,
                merchant_order_id: order.merchant_order_id,
            })));
        }
        if order.state.payment_status != PaymentStatus::Pending {
            return Ok(None);
        }
        if attempt.is_some_and(|attempt| is_opening(&attempt, self.now_ms())) {
            return Ok(Some(Next::Wait));
        }
        let attempt = self.new_attempt(&order.id, order.state.total, order.expires_at_ms);
        self.write_attempt(writes, &attempt).await?;
        Ok(Some(Next::Open(attempt, Vec::new())))
    }
}

pub(crate) fn held_products(open_orders: &[Order]) -> impl Iterator<Item = ProductId> {
    let lines = open_orders.iter().flat_map(|order| &order.lines);
    lines.map(|line| line.product.clone())
}

/// The open orders whose payment should be asked after before anything is replaced.
async fn look_first(
    writes: &mut dyn Writes,
    open_orders: &[Order],
    looked: bool,
) -> Result<Option<Next>, AppError> {
    let mut open = Vec::new();
    for order in open_orders.iter().filter(|_| !looked) {
        let attempt = writes.attempt(&order.merchant_order_id).await?;
        if attempt.is_some_and(|attempt| attempt.state == AttemptState::Open) {
            open.push(order.merchant_order_id.clone());
        }
    }
    Ok((!open.is_empty()).then_some(Next::Look(open)))
}

pub(crate) fn no_such_order() -> AppError {
    AppError::not_found("Order not found.")
}

fn is_opening(attempt: &Attempt, now_ms: i64) -> bool {
    attempt.state == AttemptState::Opening && now_ms < attempt.created_at_ms + OPENING_MS
}
