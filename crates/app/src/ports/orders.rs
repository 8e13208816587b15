//! What the store keeps about orders and the money for them.

use async_trait::async_trait;
use mirasa_domain::address::Address;
use mirasa_domain::cart::CartLine;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::{PackSize, Packs, Prices, SizedPacks};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;

use super::storage::{SavedAddress, StoreResult};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    pub user: UserId,
    /// Of the newest attempt.
    pub merchant_order_id: String,
    pub state: OrderState,
    pub payment_error: Option<String>,
    pub paid_by_attempt: Option<String>,
    /// A copy of what the shopper chose.
    pub address: Address,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
    pub deleted_at_ms: Option<i64>,
    pub lines: Vec<OrderLine>,
}

/// Names and prices as they were when the order was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    pub product: ProductId,
    pub product_name: String,
    pub image: String,
    pub packs: Packs,
    pub prices: Prices,
    pub total: Paise,
}

impl OrderLine {
    /// One item for each pack size that was bought; their totals add up to the line's.
    pub fn items(&self) -> impl Iterator<Item = SizedPacks> {
        self.prices.by_size(self.packs)
    }

    /// `Goda Masala (100 g)`, for texts with one line for each item.
    pub fn item_name(&self, size: PackSize) -> String {
        format!("{} ({size})", self.product_name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentAttemptState {
    /// Written down, the gateway not heard from yet.
    Opening,
    Open,
    Completed,
    Failed,
}

impl PaymentAttemptState {
    pub const ALL: [PaymentAttemptState; 4] = [
        PaymentAttemptState::Opening,
        PaymentAttemptState::Open,
        PaymentAttemptState::Completed,
        PaymentAttemptState::Failed,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            PaymentAttemptState::Opening => "opening",
            PaymentAttemptState::Open => "open",
            PaymentAttemptState::Completed => "completed",
            PaymentAttemptState::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<PaymentAttemptState> {
        PaymentAttemptState::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

/// One attempt at paying an order, under a number of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub state: PaymentAttemptState,
    pub redirect_url: Option<String>,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub polled_at_ms: i64,
}

/// An order that the shopper has not paid yet, or that their idempotency key led to before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumableOrder {
    pub order: Order,
    /// What was asked for with the key, where it is the key's order.
    pub key_body_hash: Option<String>,
}

/// All that settling an attempt needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptWithOrder {
    pub order: Order,
    pub attempt: PaymentAttempt,
    /// E-mail and name of the shopper, unless they have left.
    pub recipient: Option<(String, String)>,
}

/// Which way an order's goods go, and why: for the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockMovement {
    Reserve,
    Release,
    ReserveAgain,
}

impl StockMovement {
    pub const fn as_str(self) -> &'static str {
        match self {
            StockMovement::Reserve => "hold",
            StockMovement::Release => "release",
            StockMovement::ReserveAgain => "take again",
        }
    }

    pub const fn is_outgoing(self) -> bool {
        !matches!(self, StockMovement::Release)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: String,
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub reason: String,
    pub state: String,
    pub poll_count: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxEmail {
    pub id: String,
    pub order_id: Option<String>,
    pub kind: String,
    pub recipient: String,
    pub subject: String,
    pub text_body: String,
    pub html_body: String,
    pub attempts: i64,
    pub created_at_ms: i64,
    pub sent_at_ms: Option<i64>,
}

/// Something about money that a person must look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIssue {
    pub id: String,
    pub order_id: String,
    pub kind: String,
    pub subject_id: String,
    pub detail: String,
    pub created_at_ms: i64,
    /// Known where it is read; nothing to be stored.
    pub order_is_deleted: bool,
}

/// Which orders an admin wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct OrderFilter {
    pub status: Option<OrderStatus>,
    /// Part of the order's id, or of the id as it is shown.
    pub order_id: String,
    pub user_id: String,
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
}

/// Where an order stands in a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderCursor {
    pub created_at_ms: i64,
    pub id: String,
}

#[async_trait]
pub trait ReadOrders: Send {
    async fn order(&mut self, id: &str) -> StoreResult<Option<Order>>;
    async fn order_by_payment_attempt(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<Order>>;
    /// Newest first.
    async fn orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    async fn pending_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    async fn attempt(&mut self, merchant_order_id: &str) -> StoreResult<Option<PaymentAttempt>>;
    async fn attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>>;
    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>>;
    /// How many orders the filter lets through.
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64>;
    /// One page of what the filter lets through, newest first. `total` is how many there are: the far half
    /// is reached from the far end.
    async fn orders_page(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    /// The next ones behind a place of the list, or the first ones: for a list that is read to its end.
    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        behind: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>>;
    async fn recent_emails(&mut self, limit: i64) -> StoreResult<Vec<OutboxEmail>>;
    async fn email(&mut self, id: &str) -> StoreResult<Option<OutboxEmail>>;
    /// Products whose stock is not the sum of their ledger.
    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>>;
    /// How many products, orders and completed payments there are to check.
    async fn checked_counts(&mut self) -> StoreResult<(i64, i64, i64)>;
    /// Orders whose payment says one thing about holding goods and the order another.
    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>>;
    /// Orders for which the ledger has moved other goods than they hold.
    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>>;
    /// Orders that are completed without an attempt that paid just their total, or have one and are not.
    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>>;
}

#[async_trait]
pub trait WriteOrders: ReadOrders {
    /// Holds these products until the transaction ends, in a fixed order: two who want the same goods wait
    /// for each other, never in a ring.
    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()>;
    /// What is in the cart, with its products (None for a deleted one) held as by `lock_products`.
    async fn lock_cart_products(
        &mut self,
        user: &UserId,
    ) -> StoreResult<Vec<(CartLine, Option<Product>)>>;
    /// Holds the shopper, the order and the attempt until the transaction ends.
    async fn lock_attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>>;
    /// What a checkout starts from: one of the shopper's addresses, their pending orders, and that of the
    /// key, whatever became of it. Holds the shopper as `lock_user` does.
    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &str,
        key: Option<&str>,
    ) -> StoreResult<(Option<SavedAddress>, Vec<ResumableOrder>)>;
    /// Takes the goods of a new order out of stock, with a ledger row for each product. The caller holds the
    /// products and has seen that there is enough: if not, all of the transaction fails.
    async fn reserve_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Moves the goods of all lines at once, in a fixed order of products, with a ledger row each. None
    /// if there is not enough of one of them; then nothing has moved. Otherwise what is left of each.
    async fn apply_stock_movement(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
    async fn insert_order(&mut self, order: &Order) -> StoreResult<()>;
    async fn insert_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_look_at_ms: i64,
    ) -> StoreResult<()>;
    /// Makes the attempt the one that the order stands or falls with.
    async fn set_current_attempt(
        &mut self,
        order_id: &str,
        merchant_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<()>;
    /// False if its order is not waiting to be paid any more.
    async fn open_attempt(
        &mut self,
        merchant_order_id: &str,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool>;
    async fn close_attempt(
        &mut self,
        merchant_order_id: &str,
        state: PaymentAttemptState,
        mode: Option<&str>,
        transaction_id: Option<&str>,
    ) -> StoreResult<()>;
    /// Holds the order until the transaction ends.
    async fn lock_order(&mut self, id: &str) -> StoreResult<()>;
    async fn save_order_state(
        &mut self,
        order_id: &str,
        settlement: OrderState,
        error: Option<&str>,
        paid_by: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn insert_idempotency_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_idempotency_keys(&mut self, order_id: &str) -> StoreResult<()>;
    /// Takes the packs of these lines out of the cart; what was added meanwhile stays.
    async fn remove_ordered_from_cart(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()>;

    /// Attempts that are due for a look, leased so that nobody else looks meanwhile.
    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<PaymentAttempt>>;
    async fn schedule_poll(
        &mut self,
        merchant_order_id: &str,
        polled_at_ms: i64,
        next_look_at_ms: i64,
    ) -> StoreResult<()>;

    /// False if this attempt's money is on its way back already.
    async fn insert_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool>;
    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Refund>>;
    /// False if the refund had come to its end before.
    async fn update_refund(
        &mut self,
        id: &str,
        state: &str,
        next_look_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Makes a refund that is under way due at once.
    async fn schedule_refund_now(&mut self, id: &str, now_ms: i64) -> StoreResult<()>;

    async fn insert_email(&mut self, mail: &OutboxEmail) -> StoreResult<()>;
    async fn lease_emails(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<OutboxEmail>>;
    async fn mark_emails_sent(&mut self, ids: &[String], now_ms: i64) -> StoreResult<()>;
    async fn mark_email_failed(
        &mut self,
        id: &str,
        error: &str,
        next_try_at_ms: i64,
    ) -> StoreResult<()>;

    /// Once for each kind and subject, however often it is raised.
    async fn open_issue(&mut self, concern: &OrderIssue) -> StoreResult<()>;
    async fn resolve_issue(&mut self, id: &str, now_ms: i64) -> StoreResult<bool>;

    async fn set_order_status(
        &mut self,
        id: &str,
        status: OrderStatus,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn delete_order(&mut self, id: &str, now_ms: i64) -> StoreResult<bool>;
}

impl Order {
    pub fn cursor(&self) -> OrderCursor {
        OrderCursor {
            created_at_ms: self.created_at_ms,
            id: self.id.clone(),
        }
    }

    pub fn is_payable_again(&self) -> bool {
        self.state.payment_status == PaymentStatus::Failed
    }
}
