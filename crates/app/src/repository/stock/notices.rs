//! Requests for an email when a sold-out product can be bought again.

use async_trait::async_trait;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock_notice::NoticeId;

use crate::repository::StoreResult;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockNotice {
    pub id: NoticeId,
    pub product: ProductId,
    /// In lower case.
    pub email: String,
    pub stop_token: String,
    pub requested_at_ms: i64,
    /// None while it waits.
    pub notified_at_ms: Option<i64>,
}

#[async_trait]
pub trait StockNoticeQueries: Send {
    /// The products that at least one request waits for.
    async fn products_with_stock_notices(&mut self) -> StoreResult<Vec<ProductId>>;
    async fn stock_notices_of(&mut self, email: &str) -> StoreResult<Vec<StockNotice>>;
    async fn waiting_stock_notices_of(&mut self, email: &str) -> StoreResult<i64>;
    /// How many requests for the product were notified after this time.
    async fn stock_notices_sent_since(
        &mut self,
        product: &ProductId,
        after_ms: i64,
    ) -> StoreResult<i64>;
    async fn are_stock_notices_stopped(&mut self, stop_token: &str) -> StoreResult<bool>;
}

#[async_trait]
pub trait StockNoticeRepository: Send {
    /// A request that was notified waits again. One that waits keeps its place.
    async fn request_stock_notice(&mut self, notice: &StockNotice) -> StoreResult<()>;
    /// Marks the requests that wait longest as notified, and returns them.
    async fn take_stock_notices(
        &mut self,
        product: &ProductId,
        limit: i64,
        now_ms: i64,
    ) -> StoreResult<Vec<StockNotice>>;
    /// Deletes the requests of this address and stores that it wants no more.
    async fn stop_stock_notices(&mut self, stop_token: &str, now_ms: i64) -> StoreResult<()>;
    async fn allow_stock_notices(&mut self, stop_token: &str) -> StoreResult<()>;
    /// Deletes requests that were notified before `notified_before_ms`, with their emails, and those that wait since
    /// before `requested_before_ms`.
    async fn delete_old_stock_notices(
        &mut self,
        notified_before_ms: i64,
        requested_before_ms: i64,
    ) -> StoreResult<()>;
}
