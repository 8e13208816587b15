//! Tax documents and the numbers of their series.

use async_trait::async_trait;
use mirasa_domain::invoice::{Document, FinancialYear, SeriesPrefix};

use crate::repository::StoreResult;

#[async_trait]
pub trait DocumentQueries: Send {
    async fn document(&mut self, id: &str) -> StoreResult<Option<Document>>;
    /// The invoice or bill of supply of an order, and its credit notes, oldest first.
    async fn documents_of(&mut self, order_ids: &[String]) -> StoreResult<Vec<Document>>;
    /// All documents issued from one time up to another: invoices and bills of supply by their numbers, then credit notes.
    async fn documents_between(&mut self, from_ms: i64, to_ms: i64) -> StoreResult<Vec<Document>>;
}

#[async_trait]
pub trait DocumentRepository: Send {
    /// The next serial of the series, and the time of its document: now, but not before the previous document of the
    /// series, so that numbers and dates have the same order. The row stays locked until the transaction ends, so that a
    /// document that is rolled back leaves no gap.
    async fn next_serial(
        &mut self,
        series: &SeriesPrefix,
        year: FinancialYear,
        now_ms: i64,
    ) -> StoreResult<(i64, i64)>;
    async fn insert_document(
        &mut self,
        document: &Document,
        series: &SeriesPrefix,
        year: FinancialYear,
        serial: i64,
    ) -> StoreResult<()>;
    /// Marks the refunds of a payment as deducted from this invoice, without failed ones.
    async fn deduct_refunds(
        &mut self,
        merchant_order_id: &str,
        document_id: &str,
    ) -> StoreResult<()>;
    /// Marks the order as packed. False if it was packed before.
    async fn set_packed(&mut self, order_id: &str, now_ms: i64) -> StoreResult<bool>;
}
