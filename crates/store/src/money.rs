//! Payment attempts, refunds and concerns: what became of the money. Workers lease these rows.

use mirasa_app::ports::orders::{OrderIssue, PaymentAttempt, PaymentAttemptState, Refund};
use mirasa_app::ports::storage::{StoreError, StoreResult};
use mirasa_domain::money::Paise;

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    struct AttemptRow {
        merchant_order_id: String,
        order_id: String,
        amount: i64,
        state: String,
        redirect_url: Option<String>,
        expires_at: i64,
        created_at: i64,
        looked_at: i64,
    }
}

impl AttemptRow {
    fn into_attempt(self) -> StoreResult<PaymentAttempt> {
        let unknown = || {
            StoreError::Broken(anyhow::anyhow!(
                "attempt {} is {}",
                self.merchant_order_id,
                self.state
            ))
        };
        Ok(PaymentAttempt {
            state: PaymentAttemptState::parse(&self.state).ok_or_else(unknown)?,
            merchant_order_id: self.merchant_order_id,
            order_id: self.order_id,
            amount: Paise::new(self.amount),
            redirect_url: self.redirect_url,
            expires_at_ms: self.expires_at,
            created_at_ms: self.created_at,
            polled_at_ms: self.looked_at,
        })
    }
}

row! {
    struct RefundRow {
        id: String,
        merchant_order_id: String,
        order_id: String,
        amount: i64,
        reason: String,
        state: String,
        looks: i64,
    }
}

row! {
    struct ConcernRow {
        id: String,
        order_id: String,
        kind: String,
        about: String,
        detail: String,
        created_at: i64,
        order_deleted_at: Option<i64>,
    }
}

/// The outer condition is asked again once a row's lock is had: two workers never lease the same row.
const LEASE_ATTEMPTS: &str = "update payment_attempts set leased_until = $2 where leased_until <= $1 and next_look_at <= $1
    and state in ('opening', 'open') and merchant_order_id in
    (select merchant_order_id from payment_attempts where state in ('opening', 'open') and next_look_at <= $1 and leased_until <= $1
    order by next_look_at limit $3) returning *";
const LEASE_REFUNDS: &str = "update refunds set leased_until = $2 where leased_until <= $1 and next_look_at <= $1
    and state in ('wanted', 'pending') and id in
    (select id from refunds where state in ('wanted', 'pending') and next_look_at <= $1 and leased_until <= $1
    order by next_look_at limit $3) returning *";

impl SqlRepository<'_> {
    pub(crate) async fn find_attempt(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<PaymentAttempt>> {
        const FIND: &str = "select * from payment_attempts where merchant_order_id = $1";
        let row = self
            .fetch_optional::<AttemptRow>(query(FIND).bind(merchant_order_id))
            .await?;
        row.map(AttemptRow::into_attempt).transpose()
    }

    pub(crate) async fn write_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_look_at_ms: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into payment_attempts (merchant_order_id, order_id, amount, state, expires_at, created_at, looked_at,
            next_look_at, leased_until) values ($1, $2, $3, $4, $5, $6, $7, $8, 0)";
        self.execute_deferred(
            query(INSERT)
                .bind(&attempt.merchant_order_id)
                .bind(&attempt.order_id)
                .bind(attempt.amount.get())
                .bind(attempt.state.as_str())
                .bind(attempt.expires_at_ms)
                .bind(attempt.created_at_ms)
                .bind(attempt.polled_at_ms)
                .bind(next_look_at_ms),
        )
        .await
    }

    pub(crate) async fn due_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<PaymentAttempt>> {
        let rows = self
            .fetch_all::<AttemptRow>(query(LEASE_ATTEMPTS).bind(now_ms).bind(until_ms).bind(most))
            .await?;
        rows.into_iter().map(AttemptRow::into_attempt).collect()
    }

    pub(crate) async fn write_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool> {
        const INSERT: &str = "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at,
            looks, leased_until) values ($1, $2, $3, $4, $5, $6, $7, $7, $7, 0, 0) on conflict (merchant_order_id) do nothing";
        let written = self
            .execute(
                query(INSERT)
                    .bind(&refund.id)
                    .bind(&refund.merchant_order_id)
                    .bind(&refund.order_id)
                    .bind(refund.amount.get())
                    .bind(&refund.reason)
                    .bind(&refund.state)
                    .bind(now_ms),
            )
            .await?;
        Ok(written > 0)
    }

    pub(crate) async fn due_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Refund>> {
        let rows = self
            .fetch_all::<RefundRow>(query(LEASE_REFUNDS).bind(now_ms).bind(until_ms).bind(most))
            .await?;
        let refund = |row: RefundRow| Refund {
            id: row.id,
            merchant_order_id: row.merchant_order_id,
            order_id: row.order_id,
            amount: Paise::new(row.amount),
            reason: row.reason,
            state: row.state,
            poll_count: row.looks,
        };
        Ok(rows.into_iter().map(refund).collect())
    }

    pub(crate) async fn write_concern(&mut self, concern: &OrderIssue) -> StoreResult<()> {
        const INSERT: &str = "insert into concerns (id, order_id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5, $6)
            on conflict (kind, about) do nothing";
        self.execute_deferred(
            query(INSERT)
                .bind(&concern.id)
                .bind(&concern.order_id)
                .bind(&concern.kind)
                .bind(&concern.subject_id)
                .bind(&concern.detail)
                .bind(concern.created_at_ms),
        )
        .await
    }

    pub(crate) async fn list_concerns(&mut self) -> StoreResult<Vec<OrderIssue>> {
        const OPEN: &str = "select c.*, o.deleted_at as order_deleted_at from concerns c join orders o on o.id = c.order_id
            where c.settled_at is null order by c.created_at desc limit 200";
        let rows = self.fetch_all::<ConcernRow>(query(OPEN)).await?;
        let concern = |row: ConcernRow| OrderIssue {
            id: row.id,
            order_id: row.order_id,
            kind: row.kind,
            subject_id: row.about,
            detail: row.detail,
            created_at_ms: row.created_at,
            order_is_deleted: row.order_deleted_at.is_some(),
        };
        Ok(rows.into_iter().map(concern).collect())
    }

    pub(crate) async fn attempt_closed(
        &mut self,
        merchant_order_id: &str,
        state: PaymentAttemptState,
        mode: Option<&str>,
        transaction_id: Option<&str>,
    ) -> StoreResult<()> {
        const CLOSE: &str = "update payment_attempts set state = $2, mode = $3, transaction_id = $4 where merchant_order_id = $1";
        self.execute_deferred(
            query(CLOSE)
                .bind(merchant_order_id)
                .bind(state.as_str())
                .bind(mode)
                .bind(transaction_id),
        )
        .await
    }

    pub(crate) async fn next_look(
        &mut self,
        merchant_order_id: &str,
        polled_at_ms: i64,
        next_look_at_ms: i64,
    ) -> StoreResult<()> {
        const NEXT: &str = "update payment_attempts set looked_at = $2, next_look_at = $3, leased_until = 0 where merchant_order_id = $1";
        self.execute_deferred(
            query(NEXT)
                .bind(merchant_order_id)
                .bind(polled_at_ms)
                .bind(next_look_at_ms),
        )
        .await
    }

    pub(crate) async fn refund_looked_at(
        &mut self,
        id: &str,
        state: &str,
        next_look_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const SAVE: &str = "update refunds set state = $2, next_look_at = $3, updated_at = $4, looks = looks + 1, leased_until = 0
            where id = $1 and state in ('wanted', 'pending')";
        Ok(self
            .execute(
                query(SAVE)
                    .bind(id)
                    .bind(state)
                    .bind(next_look_at_ms)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }

    pub(crate) async fn refund_due_now(&mut self, id: &str, now_ms: i64) -> StoreResult<()> {
        const HURRY: &str = "update refunds set next_look_at = $2 where id = $1 and state in ('wanted', 'pending') and next_look_at > $2";
        self.execute_deferred(query(HURRY).bind(id).bind(now_ms))
            .await
    }

    pub(crate) async fn concern_settled(&mut self, id: &str, now_ms: i64) -> StoreResult<bool> {
        Ok(self
            .execute(
                query("update concerns set settled_at = $2 where id = $1 and settled_at is null")
                    .bind(id)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }
}
