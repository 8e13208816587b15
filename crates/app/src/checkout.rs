//! From a cart to a payment page. The order is written first, with its goods taken out of stock, in one
//! transaction; the gateway is asked only after that has been committed.

use mirasa_domain::cart::{self, CartRefusal};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderStatus, PaymentStatus, Settlement, seconds_until_next_look};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;
use sha2::{Digest, Sha256};

use crate::fault_points::point;
use crate::ports::orders::{Attempt, AttemptState, Order, OrderLine, StockMove};
use crate::ports::payment::{PayAsk, PayPage, PaymentError};
use crate::ports::storage::{SavedAddress, Writes};
use crate::settle::{Ending, fail_order};
use crate::{Fault, Kind, Shop};

/// How long a shopper has to pay, and how long their goods are held.
pub const PAY_WITHIN_S: u32 = 15 * 60;
/// The least that the gateway takes.
const LEAST: Paise = Paise::new(100);
const CANNOT_PAY: &str = "Failed to initiate payment";

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
}

impl Shop {
    pub async fn check_out(&self, user: &UserId, ask: CheckoutAsk) -> Result<Checkout, Fault> {
        if ask
            .key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.len() > 200)
        {
            return Err(Fault::invalid(
                "Idempotency-Key must have 1 to 200 characters",
            ));
        }
        let (shop, user) = (self.clone(), user.clone());
        let next = self
            .db
            .write(move |writes| {
                Box::pin(async move { shop.write_order(writes, &user, &ask).await })
            })
            .await?;
        self.open_payment(next).await
    }

    /// A failed order once more: a new order for the same goods, at today's prices.
    pub async fn pay_again(&self, user: &UserId, order_id: String) -> Result<Checkout, Fault> {
        let (shop, user) = (self.clone(), user.clone());
        let next = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    writes.lock_shopper(&user).await?;
                    let order = writes
                        .order(&order_id)
                        .await?
                        .filter(|order| order.user == user)
                        .ok_or_else(no_such_order)?;
                    if !order.is_payable_again() {
                        return Err(Fault::conflict("This order cannot be paid again"));
                    }
                    let wanted = order
                        .lines
                        .iter()
                        .map(|line| (line.product.clone(), line.packs))
                        .collect();
                    shop.place(writes, &user, wanted, order.address, None).await
                })
            })
            .await?;
        self.open_payment(next).await
    }

    async fn write_order(
        &self,
        writes: &mut dyn Writes,
        user: &UserId,
        ask: &CheckoutAsk,
    ) -> Result<Next, Fault> {
        writes.lock_shopper(user).await?;
        let body_hash = hex::encode(Sha256::digest(format!(
            "{}\n{:?}",
            ask.address_id, ask.expected_total
        )));
        if let Some(key) = &ask.key
            && let Some(used) = writes.key_use(user, key).await?
        {
            if used.body_hash != body_hash {
                return Err(Fault::new(
                    Kind::Unprocessable,
                    "This Idempotency-Key was used for another request",
                ));
            }
            if let Some(order) = writes.order(&used.order_id).await? {
                return self.resume(writes, order).await;
            }
        }
        let missing = || Fault::not_found("Address not found.");
        let SavedAddress { address, .. } = writes
            .address(user, &ask.address_id)
            .await?
            .ok_or_else(missing)?;
        let (lines, _) = writes.cart(user).await?;
        if lines.is_empty() {
            return Err(Fault::invalid("Your cart is empty"));
        }
        let wanted = lines
            .into_iter()
            .map(|line| (line.product, line.packs))
            .collect();
        let next = self
            .place(writes, user, wanted, address, ask.expected_total)
            .await?;
        if let Some(key) = &ask.key {
            let order_id = match &next {
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
    async fn resume(&self, writes: &mut dyn Writes, order: Order) -> Result<Next, Fault> {
        let attempt = writes.attempt(&order.merchant_order_id).await?;
        if let Some(redirect_url) = attempt.and_then(|attempt| attempt.redirect_url) {
            return Ok(Next::Pay(Checkout {
                redirect_url,
                merchant_order_id: order.merchant_order_id,
            }));
        }
        if order.settlement.payment != PaymentStatus::Pending {
            return Err(Fault::conflict("This order is settled already"));
        }
        let attempt = self.new_attempt(&order.id, order.settlement.total);
        self.write_attempt(writes, &attempt).await?;
        Ok(Next::Open(attempt, Vec::new()))
    }

    /// Writes the order for these goods. Holds that the shopper left open are replaced; the very same
    /// unpaid order is found again instead.
    async fn place(
        &self,
        writes: &mut dyn Writes,
        user: &UserId,
        wanted: Vec<(ProductId, mirasa_domain::pack::Packs)>,
        address: mirasa_domain::address::Address,
        expected_total: Option<Paise>,
    ) -> Result<Next, Fault> {
        let now_ms = self.now_ms();
        let open_orders = writes.pending_orders_of(user).await?;
        let ids: Vec<_> = wanted.iter().map(|(id, _)| id.clone()).collect();
        let held = open_orders
            .iter()
            .flat_map(|order| &order.lines)
            .map(|line| line.product.clone());
        writes
            .lock_products(&ids.iter().cloned().chain(held).collect::<Vec<_>>())
            .await?;
        let products = writes.products_by_id(&ids).await?;
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
            return Err(Fault::conflict(
                "Prices have changed. Please look at your cart again.",
            ));
        }
        if total < LEAST {
            return Err(Fault::invalid(format!(
                "An order must come to at least {LEAST}"
            )));
        }
        let mut freed = Vec::new();
        for open in open_orders {
            let attempt = writes.attempt(&open.merchant_order_id).await?;
            if let Some(checkout) = same_page(&open, attempt, &lines, &address, now_ms) {
                return Ok(Next::Pay(checkout));
            }
            freed.extend(fail_order(self, writes, open, Ending::Replaced).await?);
        }
        // Only now: the shopper's own open hold must not stand in the way.
        for line in &lines {
            let product = products.iter().find(|product| product.id == line.product);
            let stock = freed
                .iter()
                .rev()
                .find(|(id, _)| *id == line.product)
                .map(|(_, stock)| *stock);
            let stock = stock
                .or(product.map(|product| product.stock))
                .unwrap_or_default();
            stock.can_supply(line.packs).map_err(CartRefusal::from)?;
        }
        let attempt = self.new_attempt(&self.ids.id(), total);
        let order = Order {
            id: attempt.order_id.clone(),
            user: user.clone(),
            merchant_order_id: attempt.merchant_order_id.clone(),
            settlement: Settlement {
                total,
                payment: PaymentStatus::Pending,
                order: OrderStatus::Pending,
                holds_stock: true,
            },
            payment_error: None,
            paid_by: None,
            address,
            expires_at_ms: attempt.expires_at_ms,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
            lines,
        };
        writes.insert_order(&order).await?;
        let left = writes
            .move_order_stock(&order.id, &order.lines, StockMove::Hold, now_ms)
            .await?;
        let left = left.ok_or_else(|| Fault::conflict("Not enough spice stock available"))?;
        self.write_attempt(writes, &attempt).await?;
        freed.extend(left);
        Ok(Next::Open(attempt, freed))
    }

    fn new_attempt(&self, order_id: &str, amount: Paise) -> Attempt {
        let now_ms = self.now_ms();
        Attempt {
            merchant_order_id: format!("M{}", self.ids.id().replace('-', "")),
            order_id: order_id.to_owned(),
            amount,
            state: AttemptState::Opening,
            redirect_url: None,
            expires_at_ms: now_ms + i64::from(PAY_WITHIN_S) * 1000,
            created_at_ms: now_ms,
            looked_at_ms: 0,
        }
    }

    async fn write_attempt(&self, writes: &mut dyn Writes, attempt: &Attempt) -> Result<(), Fault> {
        writes
            .insert_attempt(
                attempt,
                attempt.created_at_ms + seconds_until_next_look(0) * 1000,
            )
            .await?;
        Ok(writes
            .set_current_attempt(
                &attempt.order_id,
                &attempt.merchant_order_id,
                attempt.expires_at_ms,
            )
            .await?)
    }

    /// Asks the gateway for the page, with no transaction open. If nobody knows what became of the first
    /// ask, a second one goes under a new number.
    async fn open_payment(&self, next: Next) -> Result<Checkout, Fault> {
        let (first, left) = match next {
            Next::Pay(checkout) => return Ok(checkout),
            Next::Open(attempt, left) => (attempt, left),
        };
        self.catalogue.set_stock(&left);
        point("order committed");
        match self.ask_for_page(&first).await {
            Ok(checkout) => return Ok(checkout),
            Err(PaymentError::Refused(reason)) => return Err(self.give_up(first, reason).await),
            Err(PaymentError::Unreachable(error)) => {
                tracing::warn!(error = format!("{error:#}"), "the gateway did not answer")
            }
        }
        let second = self.new_attempt(&first.order_id, first.amount);
        let (shop, attempt) = (self.clone(), second.clone());
        self.db
            .write(move |writes| {
                Box::pin(async move { shop.write_attempt(writes, &attempt).await })
            })
            .await?;
        match self.ask_for_page(&second).await {
            Ok(checkout) => Ok(checkout),
            Err(error) => Err(self.give_up(second, error.to_string()).await),
        }
    }

    async fn ask_for_page(&self, attempt: &Attempt) -> Result<Checkout, PaymentError> {
        let id = attempt.merchant_order_id.clone();
        let page = self
            .gateway
            .pay(PayAsk {
                redirect_url: format!(
                    "{}/payment/status?merchantOrderId={id}",
                    self.settings.public_url
                ),
                merchant_order_id: id.clone(),
                amount: attempt.amount,
                message: "Payment for your order".into(),
                expire_after_s: PAY_WITHIN_S,
            })
            .await?;
        point("page asked for");
        let PayPage {
            redirect_url,
            gateway_order_id,
            expires_at_ms,
        } = page;
        let (attempt, url) = (id.clone(), redirect_url.clone());
        let opened: Result<(), Fault> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    Ok(writes
                        .open_attempt(&attempt, &url, &gateway_order_id, expires_at_ms)
                        .await?)
                })
            })
            .await;
        opened.map_err(|fault| PaymentError::Unreachable(fault.into()))?;
        Ok(Checkout {
            redirect_url,
            merchant_order_id: id,
        })
    }

    /// No page, no payment: the goods go back at once, and the key is forgotten so that a retry is free.
    async fn give_up(&self, attempt: Attempt, reason: String) -> Fault {
        let shop = self.clone();
        let ended: Result<Vec<(ProductId, Stock)>, Fault> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    writes.lock_order(&attempt.order_id).await?;
                    writes.forget_keys_of(&attempt.order_id).await?;
                    match writes.order(&attempt.order_id).await? {
                        Some(order) if order.settlement.payment == PaymentStatus::Pending => {
                            fail_order(&shop, writes, order, Ending::NoPage).await
                        }
                        _ => Ok(Vec::new()),
                    }
                })
            })
            .await;
        match ended {
            Ok(left) => self.catalogue.set_stock(&left),
            // The reconciler will find the order and end it.
            Err(fault) => {
                tracing::error!(error = ?fault, "could not give up an order that cannot be paid")
            }
        }
        Fault {
            source: Some(anyhow::anyhow!(reason)),
            ..Fault::new(Kind::Unavailable, CANNOT_PAY)
        }
    }
}

pub(crate) fn no_such_order() -> Fault {
    Fault::not_found("Order not found.")
}

/// The line at today's price. What stands in the way is said in the cart's own words.
fn order_line(
    product: Option<&Product>,
    id: &ProductId,
    packs: mirasa_domain::pack::Packs,
) -> Result<OrderLine, Fault> {
    let product = product
        .filter(|product| product.is_visible)
        .ok_or_else(|| {
            Fault::conflict(format!(
                "{} is no longer available. Please remove it from your cart.",
                id.0
            ))
        })?;
    let about = &product.about;
    if !about.prices().cover(packs) {
        return Err(CartRefusal::NotSoldInThatSize.into());
    }
    let line = cart::CartLine {
        product: id.clone(),
        packs,
        seen: about.prices(),
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

/// Back button or second tab: an unpaid order for the same goods to the same door is the same order.
fn same_page(
    order: &Order,
    attempt: Option<Attempt>,
    lines: &[OrderLine],
    address: &mirasa_domain::address::Address,
    now_ms: i64,
) -> Option<Checkout> {
    let attempt = attempt.filter(|attempt| {
        attempt.state == AttemptState::Open && attempt.expires_at_ms > now_ms + 60_000
    })?;
    let redirect_url = attempt.redirect_url?;
    (order.lines == lines && order.address == *address).then_some(Checkout {
        redirect_url,
        merchant_order_id: attempt.merchant_order_id,
    })
}
