//! What is stored: one trait per aggregate for reading (`…Queries`) and one for writing (`…Repository`), and the
//! database that runs them.

pub mod cart;
pub mod catalogue;
pub mod customers;
mod database;
pub mod emails;
pub mod invoices;
pub mod messages;
pub mod operations;
pub mod orders;
pub mod payments;
pub mod refunds;
pub mod reports;
pub mod reviews;
pub mod shipping;
pub mod stock;

use crate::repository::cart::discounts::{DiscountQueries, DiscountRepository};
use crate::repository::cart::wishlist::{WishlistQueries, WishlistRepository};
use crate::repository::cart::{CartQueries, CartRepository};
use crate::repository::catalogue::{ProductQueries, ProductRepository};
use crate::repository::customers::addresses::{AddressQueries, AddressRepository};
use crate::repository::customers::erasure::{ErasureQueries, ErasureRepository};
use crate::repository::customers::list::CustomerQueries;
use crate::repository::customers::sessions::{SessionQueries, SessionRepository};
use crate::repository::customers::{UserQueries, UserRepository};
pub use crate::repository::database::{
    BoxedAny, Database, Engine, ErasedResult, ReadJob, Work, WorkWith, WriteJob, write_work,
};
use crate::repository::emails::notifications::{NotificationQueries, NotificationRepository};
use crate::repository::emails::outbox::{OutboxQueries, OutboxRepository};
use crate::repository::invoices::{InvoiceQueries, InvoiceRepository};
use crate::repository::messages::{MessageQueries, MessageRepository};
use crate::repository::operations::audit::{AuditQueries, AuditRepository};
use crate::repository::operations::queues::QueueQueries;
use crate::repository::operations::rate_limits::RateLimitRepository;
use crate::repository::orders::cancellations::{CancellationQueries, CancellationRepository};
use crate::repository::orders::events::{OrderEventQueries, OrderEventRepository};
use crate::repository::orders::issues::{IssueQueries, IssueRepository};
use crate::repository::orders::notes::{OrderNoteQueries, OrderNoteRepository};
use crate::repository::orders::problems::{ProblemQueries, ProblemRepository};
use crate::repository::orders::search::{OrderSearchQueries, SearchIndexRepository};
use crate::repository::orders::{OrderQueries, OrderRepository};
use crate::repository::payments::checkout::CheckoutRepository;
use crate::repository::payments::request_keys::RequestKeyRepository;
use crate::repository::payments::{PaymentQueries, PaymentRepository};
use crate::repository::refunds::{RefundQueries, RefundRepository};
use crate::repository::reports::consistency::ConsistencyQueries;
use crate::repository::reports::console_search::ConsoleSearchQueries;
use crate::repository::reports::daily_sales::{DailySalesQueries, DailySalesRepository};
use crate::repository::reports::to_do::ToDoQueries;
use crate::repository::reviews::{ReviewQueries, ReviewRepository};
use crate::repository::shipping::{ShipmentQueries, ShipmentRepository};
use crate::repository::stock::batches::{BatchQueries, BatchRepository};
use crate::repository::stock::notices::{StockNoticeQueries, StockNoticeRepository};
use crate::repository::stock::{StockQueries, StockRepository};

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
    ConsoleSearchQueries
    UserQueries
    CustomerQueries
    SessionQueries
    AddressQueries
    WishlistQueries
    StockNoticeQueries
    CartQueries
    OrderQueries
    OrderSearchQueries
    OrderEventQueries
    OrderNoteQueries
    PaymentQueries
    RefundQueries
    ProblemQueries
    CancellationQueries
    ReviewQueries
    ShipmentQueries
    InvoiceQueries
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
    OrderNoteRepository
    SearchIndexRepository
    PaymentRepository
    RefundRepository
    ProblemRepository
    CancellationRepository
    ReviewRepository
    ShipmentRepository
    InvoiceRepository
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
