//! What the shop keeps, and how a use case reads and writes it.
//!
//! `Database::write` runs a closure in one transaction: `Ok` commits, `Err` rolls back. The engine
//! decides how (SQLite commits waiting writers together, PostgreSQL does so by itself), which is why
//! the closure owns what it needs and may not call the outside world. It must be `Clone`, because the
//! engine runs it again when the database ends a transaction that was in the way of another one.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;
use mirasa_domain::address::Address;
use mirasa_domain::cart::CartLine;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::{Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::{Profile, Role, UserId};

use super::admin::{ReadAdmin, WriteAdmin};
use super::limits::WriteLimits;
use super::orders::{ReadOrders, WriteOrders};
use super::privacy::{ReadPrivacy, WritePrivacy};
use super::reservations::{ReadReservations, WriteReservations};
use crate::load_shedder::{LoadShedder, Permit};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database cannot be reached or written")]
    Unavailable(#[source] anyhow::Error),
    #[error("too many wait for the database")]
    Busy,
    /// A constraint said no; its name tells which.
    #[error("constraint {0} was violated")]
    Constraint(String),
    #[error("the database answered something unexpected")]
    Broken(#[source] anyhow::Error),
}

pub type StoreResult<T> = Result<T, StoreError>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub phone: Option<String>,
    pub date_of_birth: Option<String>,
    pub gender: Option<String>,
    /// The provider's picture of them.
    pub photo: Option<String>,
    /// The picture that they gave the shop.
    pub profile_picture: Option<String>,
    pub role: Role,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAddress {
    pub id: String,
    pub address: Address,
    pub is_default: bool,
}

/// A sign-in that has begun and not come back yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInAttempt {
    pub state_hash: String,
    /// Ties the attempt to the browser that began it.
    pub browser_token_hash: String,
    pub nonce: String,
    pub pkce_verifier: String,
    pub return_to: String,
    pub add_to_cart: Option<(ProductId, Packs)>,
    pub expires_at_ms: i64,
}

#[derive(Debug, Clone)]
pub struct NewUser {
    pub id: UserId,
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub name: String,
    pub photo: Option<String>,
    pub role: Role,
}

#[derive(Debug, Clone)]
pub struct NewSession {
    pub token_hash: String,
    pub user: UserId,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
}

/// A product as the catalogue keeps it in memory, or the news that it is gone.
#[derive(Debug, Clone)]
pub enum ProductChange {
    Upserted(Product),
    Deleted(ProductId),
}

/// Why stock moved. Every movement has a row, so that stock can always be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockAdjustment {
    Initial,
    Manual,
}

impl StockAdjustment {
    pub const fn as_str(self) -> &'static str {
        match self {
            StockAdjustment::Initial => "opening",
            StockAdjustment::Manual => "edit",
        }
    }
}

#[derive(Debug, Clone)]
pub struct ContactMessage {
    pub id: String,
    pub name: String,
    pub email: String,
    pub message: String,
    pub at_ms: i64,
}

#[async_trait]
pub trait ReadProducts: Send {
    async fn all_products(&mut self) -> StoreResult<Vec<Product>>;
    /// Everything touched at or after that moment, deletions included.
    async fn products_changed_since(&mut self, at_ms: i64) -> StoreResult<Vec<ProductChange>>;
    async fn product(&mut self, id: &ProductId) -> StoreResult<Option<Product>>;
    /// Whether the id was ever used, by a deleted product too.
    async fn product_id_taken(&mut self, id: &ProductId) -> StoreResult<bool>;
}

#[async_trait]
pub trait WriteProducts: ReadProducts {
    /// Inserts the product with its opening stock and the ledger row that explains it.
    async fn insert_product(
        &mut self,
        product: &Product,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Rewrites the description if nobody else did meanwhile; false if somebody did.
    async fn update_details(
        &mut self,
        id: &ProductId,
        about: &ProductDetails,
        expected_version: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Adds a (possibly negative) change to stock and writes it into the ledger.
    async fn adjust_stock(
        &mut self,
        id: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn set_visibility(
        &mut self,
        id: &ProductId,
        visible: bool,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Sets or clears the rank; whoever held that rank before loses it.
    async fn set_trending_rank(
        &mut self,
        id: &ProductId,
        rank: Option<TrendingRank>,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_product(&mut self, id: &ProductId, now_ms: i64) -> StoreResult<bool>;
}

#[async_trait]
pub trait ReadPeople: Send {
    async fn user_by_session(&mut self, token_hash: &str, now_ms: i64)
    -> StoreResult<Option<User>>;
    async fn user(&mut self, id: &UserId) -> StoreResult<Option<User>>;
    async fn user_by_identity(&mut self, issuer: &str, subject: &str) -> StoreResult<Option<User>>;
    async fn addresses(&mut self, user: &UserId) -> StoreResult<Vec<SavedAddress>>;
    async fn address(&mut self, user: &UserId, id: &str) -> StoreResult<Option<SavedAddress>>;
    async fn wishlist(&mut self, user: &UserId) -> StoreResult<Vec<ProductId>>;
}

#[async_trait]
pub trait WritePeople: ReadPeople {
    async fn insert_sign_in_attempt(&mut self, attempt: &SignInAttempt) -> StoreResult<()>;
    /// Takes the attempt out, so that a state can be used once only.
    async fn take_sign_in_attempt(
        &mut self,
        state_hash: &str,
    ) -> StoreResult<Option<SignInAttempt>>;
    /// Somebody with this identity who is there already stays as they are. An admin who is new is one by the
    /// configuration.
    async fn insert_user(&mut self, user: &NewUser, now_ms: i64) -> StoreResult<()>;
    /// A role that changes here is given by the configuration.
    async fn update_identity(
        &mut self,
        id: &UserId,
        email: &str,
        photo: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn insert_session(&mut self, session: &NewSession) -> StoreResult<()>;
    async fn delete_session(&mut self, token_hash: &str) -> StoreResult<()>;
    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<()>;
    /// Clears away what has expired: sessions, sign-ins that never came back, and buckets of calls that are
    /// full again.
    async fn delete_expired(&mut self, now_ms: i64) -> StoreResult<u64>;

    async fn update_profile(
        &mut self,
        id: &UserId,
        profile: &Profile,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn set_profile_picture(
        &mut self,
        id: &UserId,
        file: &str,
        now_ms: i64,
    ) -> StoreResult<()>;

    async fn insert_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn update_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn clear_default_address(&mut self, user: &UserId) -> StoreResult<()>;
    async fn delete_address(&mut self, user: &UserId, id: &str, now_ms: i64) -> StoreResult<bool>;

    async fn add_to_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn remove_from_wishlist(&mut self, user: &UserId, product: &ProductId)
    -> StoreResult<()>;
}

#[async_trait]
pub trait ReadCarts: Send {
    /// The lines in the order in which they were first added, and the cart's version.
    async fn cart(&mut self, user: &UserId) -> StoreResult<(Vec<CartLine>, i64)>;
}

#[async_trait]
pub trait WriteCarts: ReadCarts {
    /// Holds the shopper until the transaction ends: two tabs, or two phones, take turns.
    async fn lock_user(&mut self, user: &UserId) -> StoreResult<()>;
    /// Counts a change of the cart, so that a browser can tell an old answer from a new one, and holds the
    /// shopper as `lock_user` does.
    async fn increment_cart_version(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()>;
    async fn upsert_cart_line(
        &mut self,
        user: &UserId,
        product: &ProductId,
        packs: Packs,
        seen: Prices,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn remove_cart_line(&mut self, user: &UserId, product: &ProductId) -> StoreResult<()>;
    async fn clear_cart(&mut self, user: &UserId) -> StoreResult<()>;
}

#[async_trait]
pub trait WriteMessages: Send {
    async fn insert_message(&mut self, query: &ContactMessage) -> StoreResult<()>;
}

/// Everything that can be read.
pub trait Queries:
    ReadProducts + ReadPeople + ReadCarts + ReadOrders + ReadReservations + ReadAdmin + ReadPrivacy
{
}
/// Everything that can be done inside a transaction.
pub trait Transaction:
    Queries
    + WriteProducts
    + WritePeople
    + WriteCarts
    + WriteMessages
    + WriteLimits
    + WriteOrders
    + WriteReservations
    + WriteAdmin
    + WritePrivacy
{
}

impl<T> Queries for T where
    T: ReadProducts
        + ReadPeople
        + ReadCarts
        + ReadOrders
        + ReadReservations
        + ReadAdmin
        + ReadPrivacy
{
}
impl<T> Transaction for T where
    T: Queries
        + WriteProducts
        + WritePeople
        + WriteCarts
        + WriteMessages
        + WriteLimits
        + WriteOrders
        + WriteReservations
        + WriteAdmin
        + WritePrivacy
{
}

/// A value on its way through an engine that does not know its type.
pub type BoxedAny = Box<dyn Any + Send>;
/// Ok commits, Err rolls back; both carry what the use case returns.
pub type ErasedResult = Result<BoxedAny, BoxedAny>;
pub type ReadJob =
    Box<dyn for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, ErasedResult> + Send>;

/// What a transaction does. It can be copied before it is run, for another attempt.
pub trait WriteJob: Send {
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult>;
    fn duplicate(&self) -> Box<dyn WriteJob>;
}

/// What an engine must be able to do.
#[async_trait]
pub trait Engine: Send + Sync {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult>;
    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.run_read(work).await
    }
    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult>;
    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        self.run_write(work).await
    }
    /// Whether the database answers and can be written to.
    async fn ping(&self) -> StoreResult<()>;
}

/// The database as a use case sees it.
#[derive(Clone)]
pub struct Database {
    engine: Arc<dyn Engine>,
    crowd: Option<Arc<LoadShedder>>,
}

impl Database {
    pub fn new(engine: Arc<dyn Engine>) -> Database {
        Database {
            engine,
            crowd: None,
        }
    }

    /// The same database for visitors: only so many of them may wait for it, the others are told that it is
    /// busy.
    pub fn for_visitors(&self) -> Database {
        Database {
            engine: self.engine.clone(),
            crowd: Some(Arc::default()),
        }
    }

    /// The same database for what has begun and must be finished: it waits however many others do.
    pub fn for_work_under_way(&self) -> Database {
        Database::new(self.engine.clone())
    }

    fn reading(&self) -> StoreResult<Option<Permit<'_>>> {
        let crowd = self.crowd.as_ref();
        crowd
            .map(|crowd| crowd.read().ok_or(StoreError::Busy))
            .transpose()
    }

    fn writing(&self) -> StoreResult<Option<Permit<'_>>> {
        let crowd = self.crowd.as_ref();
        crowd
            .map(|crowd| crowd.write().ok_or(StoreError::Busy))
            .transpose()
    }

    pub async fn ping(&self) -> StoreResult<()> {
        self.engine.ping().await
    }

    pub async fn read<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.reading()?;
        downcast(self.engine.run_read(boxed(work)).await?)
    }

    /// A read of a few rows, found by their keys: an engine may do it on the spot.
    pub async fn point_read<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.reading()?;
        downcast(self.engine.run_point_read(boxed(work)).await?)
    }

    pub async fn write<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.writing()?;
        downcast(self.engine.run_write(write_work(work)).await?)
    }

    /// A write of one statement, which is a transaction by itself. Whatever came second would be another. If
    /// the engine gives up waiting for it, it may still happen afterwards, as a commit may.
    pub async fn write_autocommit<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.writing()?;
        downcast(self.engine.run_autocommit(write_work(work)).await?)
    }
}

fn boxed<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
) -> ReadJob {
    Box::new(move |db| {
        let running = work(db);
        Box::pin(async move { erase(running.await) })
    })
}

/// A closure with the types of its result, which an engine does not know.
struct Closure<F, T, E>(F, PhantomData<fn() -> (T, E)>);

impl<F, T, E> WriteJob for Closure<F, T, E>
where
    F: for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult> {
        let running = (self.0)(tx);
        Box::pin(async move { erase(running.await) })
    }

    fn duplicate(&self) -> Box<dyn WriteJob> {
        write_work(self.0.clone())
    }
}

/// Makes a closure what an engine runs.
pub fn write_work<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
    + Clone
    + Send
    + 'static,
) -> Box<dyn WriteJob> {
    Box::new(Closure(work, PhantomData))
}

fn erase<T: Send + 'static, E: Send + 'static>(result: Result<T, E>) -> ErasedResult {
    match result {
        Ok(value) => Ok(Box::new(value)),
        Err(error) => Err(Box::new(error)),
    }
}

fn downcast<T: 'static, E: From<StoreError> + 'static>(outcome: ErasedResult) -> Result<T, E> {
    let mismatch = || {
        E::from(StoreError::Broken(anyhow::anyhow!(
            "an engine mixed up two results"
        )))
    };
    match outcome {
        Ok(value) => value
            .downcast::<T>()
            .map(|value| *value)
            .map_err(|_| mismatch()),
        Err(error) => Err(error
            .downcast::<E>()
            .map_or_else(|_| mismatch(), |error| *error)),
    }
}
