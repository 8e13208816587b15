//! Checkout: from a cart to a payment page. One transaction writes the order and reserves its stock; the gateway is
//! called after the commit.

use std::time::Duration;

use mirasa_domain::address::{Address, AddressId, Pincode, SavedAddress};
use mirasa_domain::ist;
use mirasa_domain::money::Paise;
use mirasa_domain::new_order::OrderDraft;
use mirasa_domain::order::{Order, OrderId, PaymentStatus};
use mirasa_domain::payment::PaymentAttemptState;
use mirasa_domain::user::UserId;
use sha2::{Digest, Sha256};
use tracing::Instrument as _;

use crate::cart::discounts::lock_for_checkout;
use crate::customers::addresses::address_not_found;
use crate::orders::order_not_found;
pub use crate::payments::checkout_step::CheckoutRedirect;
use crate::payments::checkout_step::{CheckoutStep, is_opening};
use crate::payments::end_order::reserved_products;
use crate::repository::Transaction;
use crate::repository::payments::checkout::CheckoutStart;
use crate::request_key::{check_key, key_reused};
use crate::runtime::failpoints::failpoint;
use crate::shipping::estimates::PincodeService;
use crate::{AppError, ErrorCode, Shop};

const PAYMENT_PAGE_RETRY_DELAY: Duration = Duration::from_millis(100);

/// A checkout request. With the same key, a repeated request has the same result.
#[derive(Debug, Clone)]
pub struct CheckoutInput {
    pub address_id: AddressId,
    /// The total that the page showed. It is compared with the calculated total and never charged.
    pub expected_total: Option<Paise>,
    pub idempotency_key: Option<String>,
}

/// What this checkout has done before its transaction runs again.
#[derive(Debug, Clone, Copy, Default)]
struct DoneBefore {
    polled: bool,
    asked: bool,
}

impl DoneBefore {
    fn add(&mut self, step: &CheckoutStep) {
        self.polled |= matches!(step, CheckoutStep::PollPending(_));
        self.asked |= matches!(step, CheckoutStep::AskAboutPincode(_));
    }
}

impl Shop {
    pub async fn check_out(
        &self,
        user: &UserId,
        input: CheckoutInput,
    ) -> Result<CheckoutRedirect, AppError> {
        if let Some(key) = &input.idempotency_key {
            check_key(key)?;
        }
        let mut done = DoneBefore::default();
        loop {
            let (shop, user, input) = (self.clone(), user.clone(), input.clone());
            let step = self
                .db
                .write(async move |tx| shop.order_from_cart(tx, &user, &input, done).await)
                .await?;
            done.add(&step);
            if let Some(redirect) = self.run_step(step).await? {
                return Ok(redirect);
            }
        }
    }

    /// Does what the transaction left to do, even if the customer closes the connection. None: run the transaction
    /// again.
    async fn run_step(&self, step: CheckoutStep) -> Result<Option<CheckoutRedirect>, AppError> {
        match step {
            CheckoutStep::Redirect(redirect) => Ok(Some(redirect)),
            CheckoutStep::Paid(redirect, left) => {
                self.catalogue.apply_stock(&left);
                failpoint("order committed");
                Ok(Some(redirect))
            }
            CheckoutStep::WaitForOtherRequest => {
                tokio::time::sleep(PAYMENT_PAGE_RETRY_DELAY).await;
                Ok(None)
            }
            CheckoutStep::AskAboutPincode(pincode) => {
                self.ask_about_pincode(pincode).await;
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
                let creating = async move { shop.create_payment(attempt, left).await };
                let task = tokio::spawn(creating.in_current_span());
                let redirect = task.await.map_err(AppError::internal)?;
                redirect.map(Some)
            }
        }
    }

    /// Places a new order with the items of a failed one, at current prices.
    pub async fn pay_again(
        &self,
        user: &UserId,
        order_id: OrderId,
    ) -> Result<CheckoutRedirect, AppError> {
        let mut done = DoneBefore::default();
        loop {
            let (shop, user, order_id) = (self.clone(), user.clone(), order_id.clone());
            let step = self
                .db
                .write(async move |tx| {
                    shop.order_from_failed_order(tx, &user, &order_id, done)
                        .await
                })
                .await?;
            done.add(&step);
            if let Some(redirect) = self.run_step(step).await? {
                return Ok(redirect);
            }
        }
    }

    async fn order_from_failed_order(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        order_id: &OrderId,
        done: DoneBefore,
    ) -> Result<CheckoutStep, AppError> {
        tx.lock_user(user).await?;
        let pending_orders = tx.pending_orders_of(user).await?;
        if let Some(step) = pending_to_poll(tx, &pending_orders, done.polled).await? {
            return Ok(step);
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
        if let Some(step) = self.check_pincode(&order.address, done.asked)? {
            return Ok(step);
        }
        // The same code as before. If it has run out, the order is not placed without it.
        let discount = match &order.discount {
            Some(discount) => lock_for_checkout(tx, user, &discount.discount_id).await?,
            None => None,
        };
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
        let reserved = reserved_products(&pending_orders);
        let all: Vec<_> = ids.iter().cloned().chain(reserved).collect();
        tx.lock_products(&all).await?;
        let products = self.products_to_sell(tx, &ids).await?;
        let draft = OrderDraft {
            packs: order
                .lines
                .iter()
                .map(|line| (line.product.clone(), line.packs))
                .collect(),
            products,
            address: order.address,
            expected_total: None,
            discount,
        };
        self.place_order(tx, user, pending_orders, draft).await
    }

    async fn order_from_cart(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        input: &CheckoutInput,
        done: DoneBefore,
    ) -> Result<CheckoutStep, AppError> {
        let CheckoutStart {
            address,
            orders: resumable,
            discount_id,
        } = tx
            .begin_checkout(user, &input.address_id, input.idempotency_key.as_deref())
            .await?;
        let body_hash = base16ct::lower::encode_string(&Sha256::digest(format!(
            "{}\n{:?}",
            input.address_id, input.expected_total
        )));
        let (mut pending_orders, mut order_of_key) = (Vec::new(), None);
        for found in resumable {
            if found.order.state.payment_status == PaymentStatus::Pending {
                pending_orders.push(found.order.clone());
            }
            order_of_key = order_of_key.or(found.key_body_hash.map(|hash| (hash, found.order)));
        }
        if let Some(step) = pending_to_poll(tx, &pending_orders, done.polled).await? {
            return Ok(step);
        }
        if let Some((key_body_hash, order)) = order_of_key {
            if key_body_hash != body_hash {
                return Err(key_reused());
            }
            let order_id = order.id.clone();
            if let Some(step) = self.resume(tx, order).await? {
                return Ok(step);
            }
            // The order has failed. Its key may be used for a new order.
            tx.delete_idempotency_keys(&order_id).await?;
        }
        let SavedAddress { address, .. } = address.ok_or_else(address_not_found)?;
        if let Some(step) = self.check_pincode(&address, done.asked)? {
            return Ok(step);
        }
        let discount = match &discount_id {
            Some(id) => lock_for_checkout(tx, user, id).await?,
            None => None,
        };
        if !pending_orders.is_empty() {
            // The products of the pending orders are released below. All products are locked in one statement, in a
            // fixed order, to avoid deadlocks.
            let cart = tx.cart(user).await?.lines;
            let reserved = reserved_products(&pending_orders);
            let all: Vec<_> = cart
                .into_iter()
                .map(|line| line.product)
                .chain(reserved)
                .collect();
            tx.lock_products(&all).await?;
        }
        let lines = tx.lock_cart_products(user, ist::day(self.now_ms())).await?;
        if lines.is_empty() {
            return Err(AppError::new(ErrorCode::CartEmpty, "Your cart is empty"));
        }
        let mut draft = OrderDraft {
            packs: Vec::new(),
            products: Vec::new(),
            address,
            expected_total: input.expected_total,
            discount,
        };
        for (line, product) in lines {
            draft.packs.push((line.product, line.packs));
            draft.products.extend(product);
        }
        let step = self.place_order(tx, user, pending_orders, draft).await?;
        if let Some(key) = &input.idempotency_key {
            let order_id = match &step {
                CheckoutStep::WaitForOtherRequest
                | CheckoutStep::PollPending(_)
                | CheckoutStep::AskAboutPincode(_) => return Ok(step),
                CheckoutStep::CreatePayment(attempt, _) => attempt.order_id.clone(),
                CheckoutStep::Redirect(redirect) | CheckoutStep::Paid(redirect, _) => {
                    let same = tx
                        .order_by_payment_attempt(&redirect.merchant_order_id)
                        .await?;
                    same.map(|order| order.id).ok_or_else(order_not_found)?
                }
            };
            tx.insert_idempotency_key(user, key, &body_hash, &order_id, self.now_ms())
                .await?;
        }
        Ok(step)
    }

    /// Refuses an address that the delivery partner does not serve. If it does not say so in time, the shop sells.
    fn check_pincode(
        &self,
        address: &Address,
        asked: bool,
    ) -> Result<Option<CheckoutStep>, AppError> {
        let Ok(pincode) = Pincode::parse(&address.pincode) else {
            return Ok(None);
        };
        match self.pincode_service(pincode) {
            PincodeService::NotServed => {
                let message = format!(
                    "Our courier does not deliver to {} yet. Please choose another address.",
                    address.pincode
                );
                let error = AppError::new(ErrorCode::PincodeNotServed, message);
                Err(error.with_field("addressId"))
            }
            PincodeService::NotAsked if !asked => Ok(Some(CheckoutStep::AskAboutPincode(pincode))),
            PincodeService::NotAsked | PincodeService::ServedOrUnknown => Ok(None),
        }
    }

    /// The same key again: returns the order's payment page, or a new attempt if the server stopped before there was
    /// a page. None if the order ended unpaid: its page must not be offered again.
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

/// The pending orders to poll before one of them is replaced.
async fn pending_to_poll(
    tx: &mut dyn Transaction,
    pending_orders: &[Order],
    polled: bool,
) -> Result<Option<CheckoutStep>, AppError> {
    let mut open = Vec::new();
    for order in pending_orders.iter().filter(|_| !polled) {
        let attempt = tx.attempt(&order.merchant_order_id).await?;
        if attempt.is_some_and(|attempt| attempt.state == PaymentAttemptState::Open) {
            open.push(order.merchant_order_id.clone());
        }
    }
    Ok((!open.is_empty()).then_some(CheckoutStep::PollPending(open)))
}
