//! Tax documents and the numbers of their series.

use async_trait::async_trait;
use mirasa_domain::invoice::{Document, FinancialYear, SeriesPrefix};
use mirasa_domain::tax::RatePeriod;

use crate::repository::StoreResult;

/// The documents of a series that were issued in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesRange {
    pub kind: String,
    pub first: String,
    pub last: String,
    pub count: i64,
}

#[async_trait]
pub trait DocumentQueries: Send {
    async fn document(&mut self, id: &str) -> StoreResult<Option<Document>>;
    /// The invoice or bill of supply of an order, and its credit notes, oldest first.
    async fn documents_of(&mut self, order_ids: &[String]) -> StoreResult<Vec<Document>>;
    /// All documents issued from one moment up to another, by their numbers.
    async fn documents_between(&mut self, from_ms: i64, to_ms: i64) -> StoreResult<Vec<Document>>;
    async fn tax_rates(&mut self) -> StoreResult<Vec<RatePeriod>>;
}

#[async_trait]
pub trait DocumentRepository: Send {
    /// The next serial of the series. Its row stays locked until the transaction ends, so that a rolled back document
    /// leaves no gap.
    async fn next_serial(&mut self, series: &SeriesPrefix, year: FinancialYear)
    -> StoreResult<i64>;
    async fn insert_document(
        &mut self,
        document: &Document,
        series: &SeriesPrefix,
        year: FinancialYear,
        serial: i64,
    ) -> StoreResult<()>;
    /// Marks the order's refunds as deducted from this invoice.
    async fn deduct_refunds(&mut self, order_id: &str, document_id: &str) -> StoreResult<()>;
    /// Marks the orders as packed. Returns the ids of those that were not packed before.
    async fn set_packed(&mut self, order_id: &str, now_ms: i64) -> StoreResult<bool>;
}
