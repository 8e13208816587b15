//! Invoices, credit notes and the numbers of their series.

use async_trait::async_trait;
use mirasa_domain::invoice::{FinancialYear, Invoice, InvoiceId, SeriesPrefix};
use mirasa_domain::order::OrderId;
use mirasa_domain::payment::AttemptId;

use crate::repository::StoreResult;

#[async_trait]
pub trait InvoiceQueries: Send {
    async fn invoice(&mut self, id: &InvoiceId) -> StoreResult<Option<Invoice>>;
    /// The invoice or bill of supply of an order, and its credit notes, oldest first.
    async fn invoices_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Invoice>>;
    /// All invoices issued from one time up to another: invoices and bills of supply by their numbers, then credit notes.
    async fn invoices_between(&mut self, from_ms: i64, to_ms: i64) -> StoreResult<Vec<Invoice>>;
}

#[async_trait]
pub trait InvoiceRepository: Send {
    /// Takes the next serials of the series. Returns the last of them, and the time of their invoices: now, but not
    /// before the previous invoice of the series, so that numbers and dates have the same order. The row stays locked
    /// until the transaction ends, so that invoices that are rolled back leave no gap.
    async fn take_serials(
        &mut self,
        series: &SeriesPrefix,
        year: FinancialYear,
        count: usize,
        now_ms: i64,
    ) -> StoreResult<(i64, i64)>;
    async fn insert_invoice(
        &mut self,
        invoice: &Invoice,
        series: &SeriesPrefix,
        year: FinancialYear,
        serial: i64,
    ) -> StoreResult<()>;
    /// Marks the completed refunds of a payment as deducted from this invoice.
    async fn deduct_completed_refunds(
        &mut self,
        merchant_order_id: &AttemptId,
        invoice_id: &InvoiceId,
    ) -> StoreResult<()>;
    /// Marks the orders as packed.
    async fn set_packed(&mut self, order_ids: &[OrderId], now_ms: i64) -> StoreResult<()>;
}
