//! Requests for an email when a sold-out product can be bought again.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::stock::notices::{
    StockNotice, StockNoticeQueries, StockNoticeRepository,
};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock_notice::NoticeId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct StockNoticeRow {
        id: NoticeId,
        product_id: String,
        email: String,
        stop_token: String,
        requested_at: i64,
        notified_at: Option<i64>,
    }
}

impl From<StockNoticeRow> for StockNotice {
    fn from(row: StockNoticeRow) -> StockNotice {
        StockNotice {
            id: row.id,
            product: ProductId(row.product_id),
            email: row.email,
            stop_token: row.stop_token,
            requested_at_ms: row.requested_at,
            notified_at_ms: row.notified_at,
        }
    }
}

const REQUEST: &str = "insert into stock_notices (id, product_id, email, stop_token, requested_at) values ($1, $2, $3, $4, $5)
    on conflict (product_id, email) do update set requested_at = excluded.requested_at, notified_at = null,
    stop_token = excluded.stop_token where stock_notices.notified_at is not null";

fn take_query(skip_locked: &str) -> String {
    format!(
        "with taken as (select id from stock_notices where product_id = $1 and notified_at is null
            order by requested_at, id limit $3 {skip_locked})
        update stock_notices set notified_at = $2 where id in (select id from taken) and notified_at is null
            returning id, product_id, email, stop_token, requested_at, notified_at"
    )
}

/// Only a token that was sent in an email is stored: others could fill the table.
const STOP: &str = "insert into stock_notice_stops (stop_token, at) select cast($1 as text), cast($2 as bigint)
    where exists (select 1 from stock_notices where stop_token = $1) on conflict (stop_token) do nothing";

#[async_trait]
impl StockNoticeQueries for SqlRepository<'_> {
    async fn products_with_stock_notices(&mut self) -> StoreResult<Vec<ProductId>> {
        const FIND: &str = "select distinct product_id from stock_notices where notified_at is null order by product_id";
        let ids = self.fetch_all::<String>(query(FIND)).await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }

    async fn stock_notices_of(&mut self, email: &str) -> StoreResult<Vec<StockNotice>> {
        const FIND: &str =
            "select id, product_id, email, stop_token, requested_at, notified_at from stock_notices
            where email = lower($1) order by requested_at, id";
        let rows: Vec<StockNoticeRow> = self.fetch_all(query(FIND).bind(email)).await?;
        Ok(rows.into_iter().map(StockNotice::from).collect())
    }

    async fn waiting_stock_notices_of(&mut self, email: &str) -> StoreResult<i64> {
        const COUNT: &str =
            "select count(*) from stock_notices where email = lower($1) and notified_at is null";
        self.fetch_one::<i64>(query(COUNT).bind(email)).await
    }

    async fn stock_notices_sent_since(
        &mut self,
        product: &ProductId,
        after_ms: i64,
    ) -> StoreResult<i64> {
        const COUNT: &str =
            "select count(*) from stock_notices where product_id = $1 and notified_at > $2";
        self.fetch_one::<i64>(query(COUNT).bind(&product.0).bind(after_ms))
            .await
    }

    async fn are_stock_notices_stopped(&mut self, stop_token: &str) -> StoreResult<bool> {
        const COUNT: &str = "select count(*) from stock_notice_stops where stop_token = $1";
        let rows = self.fetch_one::<i64>(query(COUNT).bind(stop_token)).await?;
        Ok(rows > 0)
    }
}

#[async_trait]
impl StockNoticeRepository for SqlRepository<'_> {
    async fn request_stock_notice(&mut self, notice: &StockNotice) -> StoreResult<()> {
        let insert = query(REQUEST)
            .bind(&notice.id)
            .bind(&notice.product.0)
            .bind(&notice.email)
            .bind(&notice.stop_token)
            .bind(notice.requested_at_ms);
        self.execute_deferred(insert).await
    }

    async fn take_stock_notices(
        &mut self,
        product: &ProductId,
        limit: i64,
        now_ms: i64,
    ) -> StoreResult<Vec<StockNotice>> {
        let take = query(take_query(self.skip_locked()))
            .bind(&product.0)
            .bind(now_ms)
            .bind(limit);
        let rows: Vec<StockNoticeRow> = self.fetch_all(take).await?;
        Ok(rows.into_iter().map(StockNotice::from).collect())
    }

    async fn stop_stock_notices(&mut self, stop_token: &str, now_ms: i64) -> StoreResult<()> {
        const DELETE: &str = "delete from stock_notices where stop_token = $1";
        self.execute(query(STOP).bind(stop_token).bind(now_ms))
            .await?;
        self.execute_deferred(query(DELETE).bind(stop_token)).await
    }

    async fn allow_stock_notices(&mut self, stop_token: &str) -> StoreResult<()> {
        const ALLOW: &str = "delete from stock_notice_stops where stop_token = $1";
        self.execute_deferred(query(ALLOW).bind(stop_token)).await
    }

    async fn delete_old_stock_notices(
        &mut self,
        notified_before_ms: i64,
        requested_before_ms: i64,
    ) -> StoreResult<()> {
        const EMAILS: &str = "delete from mails where kind = 'back in stock' and sent_at is not null and created_at < $1";
        const NOTIFIED: &str = "delete from stock_notices where notified_at < $1";
        const WAITING: &str =
            "delete from stock_notices where notified_at is null and requested_at < $1";
        self.execute(query(EMAILS).bind(notified_before_ms)).await?;
        self.execute(query(NOTIFIED).bind(notified_before_ms))
            .await?;
        self.execute_deferred(query(WAITING).bind(requested_before_ms))
            .await
    }
}
