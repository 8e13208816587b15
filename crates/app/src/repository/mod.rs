//! What is stored: one trait per aggregate for reading (`…Queries`) and one for writing (`…Repository`), and the
//! database that runs them.

pub mod addresses;
pub mod audit;
pub mod batches;
pub mod cancellations;
pub mod carts;
pub mod checkout;
pub mod consistency;
pub mod daily_sales;
mod database;
pub mod discounts;
pub mod documents;
pub mod erasure;
pub mod issues;
pub mod messages;
pub mod notifications;
pub mod order_events;
pub mod order_search;
pub mod orders;
pub mod outbox;
pub mod payments;
pub mod problems;
pub mod products;
pub mod queues;
pub mod rate_limits;
pub mod refunds;
pub mod request_keys;
pub mod reviews;
pub mod sessions;
pub mod shipments;
pub mod stock;
pub mod stock_notices;
pub mod to_do;
pub mod users;
pub mod wishlist;

pub use database::{
    BoxedAny, Database, Engine, ErasedResult, ReadJob, Work, WorkWith, WriteJob, write_work,
};

use self::addresses::{AddressQueries, AddressRepository};
use self::audit::{AuditQueries, AuditRepository};
use self::batches::{BatchQueries, BatchRepository};
use self::cancellations::{CancellationQueries, CancellationRepository};
use self::carts::{CartQueries, CartRepository};
use self::checkout::CheckoutRepository;
use self::consistency::ConsistencyQueries;
use self::daily_sales::{DailySalesQueries, DailySalesRepository};
use self::discounts::{DiscountQueries, DiscountRepository};
use self::documents::{DocumentQueries, DocumentRepository};
use self::erasure::{ErasureQueries, ErasureRepository};
use self::issues::{IssueQueries, IssueRepository};
use self::messages::{MessageQueries, MessageRepository};
use self::notifications::{NotificationQueries, NotificationRepository};
use self::order_events::{OrderEventQueries, OrderEventRepository};
use self::order_search::{OrderSearchQueries, SearchIndexRepository};
use self::orders::{OrderQueries, OrderRepository};
use self::outbox::{OutboxQueries, OutboxRepository};
use self::payments::{PaymentQueries, PaymentRepository};
use self::problems::{ProblemQueries, ProblemRepository};
use self::products::{ProductQueries, ProductRepository};
use self::queues::QueueQueries;
use self::rate_limits::RateLimitRepository;
use self::refunds::{RefundQueries, RefundRepository};
use self::request_keys::RequestKeyRepository;
use self::reviews::{ReviewQueries, ReviewRepository};
use self::sessions::{SessionQueries, SessionRepository};
use self::shipments::{ShipmentQueries, ShipmentRepository};
use self::stock::{StockQueries, StockRepository};
use self::stock_notices::{StockNoticeQueries, StockNoticeRepository};
use self::to_do::ToDoQueries;
use self::users::{UserQueries, UserRepository};
use self::wishlist::{WishlistQueries, WishlistRepository};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database cannot be reached or written")]
    Unavailable(#[source] anyhow::Error),
    #[error("too many transactions wait for the database")]
    Busy,
    /// The name of the violated constraint.
    #[error("constraint {0} was violated")]
    Constraint(String),
    #[error("the database returned something unexpected")]
    Broken(#[source] anyhow::Error),
}

pub type StoreResult<T> = Result<T, StoreError>;

/// A trait that has all methods of others, and is implemented by each type that has them.
macro_rules! combined_trait {
    ($(#[$doc:meta])* $name:ident: $($part:ident)+) => {
        $(#[$doc])*
        pub trait $name: $($part +)+ {}

        impl<T: $($part +)+> $name for T {}
    };
}

combined_trait! {
    /// All reads.
    Queries:
    ProductQueries
    StockQueries
    BatchQueries
    ToDoQueries
    UserQueries
    SessionQueries
    AddressQueries
    WishlistQueries
    StockNoticeQueries
    CartQueries
    OrderQueries
    OrderSearchQueries
    OrderEventQueries
    PaymentQueries
    RefundQueries
    ProblemQueries
    CancellationQueries
    ReviewQueries
    ShipmentQueries
    DocumentQueries
    DiscountQueries
    DailySalesQueries
    OutboxQueries
    IssueQueries
    AuditQueries
    MessageQueries
    NotificationQueries
    ErasureQueries
    ConsistencyQueries
    QueueQueries
}

combined_trait! {
    /// All reads and writes of a transaction.
    Transaction:
    Queries
    ProductRepository
    StockRepository
    BatchRepository
    UserRepository
    SessionRepository
    AddressRepository
    WishlistRepository
    StockNoticeRepository
    CartRepository
    CheckoutRepository
    OrderRepository
    OrderEventRepository
    SearchIndexRepository
    PaymentRepository
    RefundRepository
    ProblemRepository
    CancellationRepository
    ReviewRepository
    ShipmentRepository
    DocumentRepository
    DiscountRepository
    DailySalesRepository
    OutboxRepository
    IssueRepository
    AuditRepository
    MessageRepository
    NotificationRepository
    ErasureRepository
    RequestKeyRepository
    RateLimitRepository
}
