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
    pub paid_by: Option<String>,
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
pub enum AttemptState {
    /// Written down, the gateway not heard from yet.
    Opening,
    Open,
    Completed,
    Failed,
}

impl AttemptState {
    pub const ALL: [AttemptState; 4] = [
        AttemptState::Opening,
        AttemptState::Open,
        AttemptState::Completed,
        AttemptState::Failed,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            AttemptState::Opening => "opening",
            AttemptState::Open => "open",
            AttemptState::Completed => "completed",
            AttemptState::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<AttemptState> {
        AttemptState::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

/// One attempt at paying an order, under a number of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub state: AttemptState,
    pub redirect_url: Option<String>,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub looked_at_ms: i64,
}

/// An order that the shopper has not paid yet, or that their idempotency key led to before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOrder {
    pub order: Order,
    /// What was asked for with the key, where it is the key's order.
    pub key_body_hash: Option<String>,
}

/// All that settling an attempt needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settling {
    pub order: Order,
    pub attempt: Attempt,
    /// E-mail and name of the shopper, unless they have left.
    pub recipient: Option<(String, String)>,
}

/// Which way an order's goods go, and why: for the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockMove {
    Hold,
    Release,
    TakeAgain,
}

impl StockMove {
    pub const fn as_str(self) -> &'static str {
        match self {
            StockMove::Hold => "hold",
            StockMove::Release => "release",
            StockMove::TakeAgain => "take again",
        }
    }

    pub const fn takes(self) -> bool {
        !matches!(self, StockMove::Release)
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
    pub looks: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub id: String,
    pub order_id: Option<String>,
    pub kind: String,
    pub recipient: String,
    pub subject: String,
    pub text_body: String,
    pub html_body: String,
    pub tries: i64,
    pub created_at_ms: i64,
    pub sent_at_ms: Option<i64>,
}

/// Something about money that a person must look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    pub id: String,
    pub order_id: String,
    pub kind: String,
    pub about: String,
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
pub struct OrderPlace {
    pub created_at_ms: i64,
    pub id: String,
}

#[async_trait]
pub trait ReadOrders: Send {
    async fn order(&mut self, id: &str) -> StoreResult<Option<Order>>;
    async fn order_by_attempt(&mut self, merchant_order_id: &str) -> StoreResult<Option<Order>>;
    /// Newest first.
    async fn orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    async fn pending_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    async fn attempt(&mut self, merchant_order_id: &str) -> StoreResult<Option<Attempt>>;
    async fn settling(&mut self, merchant_order_id: &str) -> StoreResult<Option<Settling>>;
    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>>;
    /// How many orders the filter lets through.
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64>;
    /// One page of what the filter lets through, newest first. `total` is how many there are: the far half
    /// is reached from the far end.
    async fn page_of_orders(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    /// The next ones behind a place of the list, or the first ones: for a list that is read to its end.
    async fn orders_behind(
        &mut self,
        filter: &OrderFilter,
        behind: Option<&OrderPlace>,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    async fn open_concerns(&mut self) -> StoreResult<Vec<Concern>>;
    async fn recent_mails(&mut self, limit: i64) -> StoreResult<Vec<Mail>>;
    async fn mail(&mut self, id: &str) -> StoreResult<Option<Mail>>;
    /// Products whose stock is not the sum of their ledger.
    async fn unexplained_stock(&mut self) -> StoreResult<Vec<ProductId>>;
    /// How many products, orders and completed payments there are to check.
    async fn book_sizes(&mut self) -> StoreResult<(i64, i64, i64)>;
    /// Orders whose payment says one thing about holding goods and the order another.
    async fn wrong_holds(&mut self) -> StoreResult<Vec<String>>;
    /// Orders for which the ledger has moved other goods than they hold.
    async fn orders_beside_ledger(&mut self) -> StoreResult<Vec<String>>;
    /// Orders that are completed without an attempt that paid just their total, or have one and are not.
    async fn wrongly_paid(&mut self) -> StoreResult<Vec<String>>;
}

#[async_trait]
pub trait WriteOrders: ReadOrders {
    /// Holds these products until the transaction ends, in a fixed order: two who want the same goods wait
    /// for each other, never in a ring.
    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()>;
    /// What is in the cart, with its products (None for a deleted one) held as by `lock_products`.
    async fn cart_goods(&mut self, user: &UserId) -> StoreResult<Vec<(CartLine, Option<Product>)>>;
    /// Holds the shopper, the order and the attempt until the transaction ends.
    async fn hold_settling(&mut self, merchant_order_id: &str) -> StoreResult<Option<Settling>>;
    /// What a checkout starts from: one of the shopper's addresses, their pending orders, and that of the
    /// key, whatever became of it. Holds the shopper as `lock_shopper` does.
    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &str,
        key: Option<&str>,
    ) -> StoreResult<(Option<SavedAddress>, Vec<OpenOrder>)>;
    /// Takes the goods of a new order out of stock, with a ledger row for each product. The caller holds the
    /// products and has seen that there is enough: if not, all of the transaction fails.
    async fn hold_goods(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Moves the goods of all lines at once, in a fixed order of products, with a ledger row each. None
    /// if there is not enough of one of them; then nothing has moved. Otherwise what is left of each.
    async fn move_order_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMove,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
    async fn insert_order(&mut self, order: &Order) -> StoreResult<()>;
    async fn insert_attempt(&mut self, attempt: &Attempt, next_look_at_ms: i64) -> StoreResult<()>;
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
        state: AttemptState,
        mode: Option<&str>,
        transaction_id: Option<&str>,
    ) -> StoreResult<()>;
    /// Holds the order until the transaction ends.
    async fn lock_order(&mut self, id: &str) -> StoreResult<()>;
    async fn save_settlement(
        &mut self,
        order_id: &str,
        settlement: OrderState,
        error: Option<&str>,
        paid_by: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn insert_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn forget_keys_of(&mut self, order_id: &str) -> StoreResult<()>;
    /// Takes the packs of these lines out of the cart; what was added meanwhile stays.
    async fn take_bought_packs(&mut self, user: &UserId, lines: &[OrderLine]) -> StoreResult<()>;

    /// Attempts that are due for a look, leased so that nobody else looks meanwhile.
    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Attempt>>;
    async fn schedule_look(
        &mut self,
        merchant_order_id: &str,
        looked_at_ms: i64,
        next_look_at_ms: i64,
    ) -> StoreResult<()>;

    /// False if this attempt's money is on its way back already.
    async fn want_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool>;
    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Refund>>;
    /// False if the refund had come to its end before.
    async fn save_refund(
        &mut self,
        id: &str,
        state: &str,
        next_look_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Makes a refund that is under way due at once.
    async fn hurry_refund(&mut self, id: &str, now_ms: i64) -> StoreResult<()>;

    async fn insert_mail(&mut self, mail: &Mail) -> StoreResult<()>;
    async fn lease_mails(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Mail>>;
    async fn mails_sent(&mut self, ids: &[String], now_ms: i64) -> StoreResult<()>;
    async fn mail_failed(&mut self, id: &str, error: &str, next_try_at_ms: i64) -> StoreResult<()>;

    /// Once for each kind and subject, however often it is raised.
    async fn raise_concern(&mut self, concern: &Concern) -> StoreResult<()>;
    async fn settle_concern(&mut self, id: &str, now_ms: i64) -> StoreResult<bool>;

    async fn set_order_status(
        &mut self,
        id: &str,
        status: OrderStatus,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn delete_order(&mut self, id: &str, now_ms: i64) -> StoreResult<bool>;
}

impl Order {
    pub fn place(&self) -> OrderPlace {
        OrderPlace {
            created_at_ms: self.created_at_ms,
            id: self.id.clone(),
        }
    }

    pub fn is_payable_again(&self) -> bool {
        self.state.payment_status == PaymentStatus::Failed
    }
}
