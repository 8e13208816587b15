//! Payment attempts. Workers lease them to poll the gateway.

pub(crate) mod checkout;
pub(crate) mod request_keys;

use async_trait::async_trait;
use mirasa_app::repository::payments::{
    AttemptWithOrder, LeasedAttempt, PaymentDetails, PaymentQueries, PaymentRepository,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::payment::{AttemptId, PaymentAttempt, PaymentAttemptState};

use crate::orders::row::{LINE, OrderWithLine, group_lines};
use crate::sql::engine::{SqlRepository, pad_list, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct AttemptWithOrderRow {
        ..with_line: OrderWithLine,
        attempt_id: AttemptId,
        attempt_amount: i64,
        attempt_state: String,
        attempt_redirect_url: Option<String>,
        attempt_expires_at: i64,
        attempt_created_at: i64,
        attempt_looked_at: i64,
        user_email: String,
        user_name: String,
        user_deleted_at: Option<i64>,
    }
}

row! {
    struct ReceivedRow {
        order_id: OrderId,
        merchant_order_id: AttemptId,
        received: i64,
    }
}

row! {
    struct AttemptRow {
        merchant_order_id: AttemptId,
        order_id: OrderId,
        amount: i64,
        state: String,
        redirect_url: Option<String>,
        expires_at: i64,
        created_at: i64,
        looked_at: i64,
    }
}

row! {
    struct LeasedAttemptRow {
        ..attempt: AttemptRow,
        next_look_at: i64,
        waiting_orders: i64,
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

/// The outer conditions are for the index.
fn lease_attempts_query(skip_locked: &str) -> String {
    format!(
        "with due as (select merchant_order_id from payment_attempts
            where state in ('opening', 'open') and next_look_at <= $1 and leased_until <= $1
            order by next_look_at limit $3 {skip_locked})
        update payment_attempts set leased_until = $2
            where state in ('opening', 'open') and next_look_at <= $1 and leased_until <= $1
            and merchant_order_id in (select merchant_order_id from due)
            returning *, (select count(*) from orders o where o.id = payment_attempts.order_id
                and o.payment_status = 'pending' and o.merchant_order_id = payment_attempts.merchant_order_id) as waiting_orders"
    )
}

#[async_trait]
impl PaymentQueries for SqlRepository<'_> {
    async fn attempt(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<PaymentAttempt>> {
        const FIND: &str = "select * from payment_attempts where merchant_order_id = $1";
        let row = self
            .fetch_optional::<AttemptRow>(query(FIND).bind(merchant_order_id))
            .await?;
        row.map(AttemptRow::into_attempt).transpose()
    }

    async fn payments_received(
        &mut self,
        order_id: &OrderId,
    ) -> StoreResult<Vec<(AttemptId, Paise)>> {
        let payments = self
            .payments_received_for(std::slice::from_ref(order_id))
            .await?;
        Ok(payments.into_iter().map(|(_, payment)| payment).collect())
    }

    async fn payments_received_for(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<(OrderId, (AttemptId, Paise))>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select order_id, merchant_order_id, received from payment_attempts
             where order_id in ({}) and state = 'completed' and received is not null order by created_at, merchant_order_id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<ReceivedRow> = self.fetch_all(find).await?;
        let payment = |row: ReceivedRow| {
            let payment = (row.merchant_order_id, Paise::new(row.received));
            (row.order_id, payment)
        };
        Ok(rows.into_iter().map(payment).collect())
    }

    async fn attempt_with_order(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        self.find_attempt_with_order(merchant_order_id, false).await
    }
}

#[async_trait]
impl PaymentRepository for SqlRepository<'_> {
    async fn lock_attempt_with_order(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        self.find_attempt_with_order(merchant_order_id, true).await
    }

    async fn insert_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_poll_at_ms: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into payment_attempts (merchant_order_id, order_id, amount, state, expires_at, created_at, looked_at,
            next_look_at, leased_until, redirect_url) values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)";
        self.execute_deferred(
            query(INSERT)
                .bind(&attempt.merchant_order_id)
                .bind(&attempt.order_id)
                .bind(attempt.amount.get())
                .bind(attempt.state.as_str())
                .bind(attempt.expires_at_ms)
                .bind(attempt.created_at_ms)
                .bind(attempt.polled_at_ms)
                .bind(next_poll_at_ms)
                .bind(&attempt.redirect_url),
        )
        .await
    }

    /// Only while the order is pending: a newer checkout may have replaced it meanwhile.
    async fn open_attempt(
        &mut self,
        merchant_order_id: &AttemptId,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool> {
        let lock = if self.is_postgres() {
            "for update of o"
        } else {
            ""
        };
        let text = format!(
            "with unpaid as (select o.id from orders o join payment_attempts a on a.order_id = o.id
             where a.merchant_order_id = $1 and o.payment_status = 'pending' {lock})
             update payment_attempts set state = 'open', redirect_url = $2, gateway_order_id = $3, expires_at = $4
             where merchant_order_id = $1 and state = 'opening' and order_id in (select id from unpaid)"
        );
        let changed = self
            .execute(
                query(text)
                    .bind(merchant_order_id)
                    .bind(redirect_url)
                    .bind(gateway_order_id)
                    .bind(expires_at_ms),
            )
            .await?;
        Ok(changed > 0)
    }

    async fn close_attempt(
        &mut self,
        merchant_order_id: &AttemptId,
        state: PaymentAttemptState,
        payment: PaymentDetails<'_>,
    ) -> StoreResult<()> {
        const CLOSE: &str = "update payment_attempts set state = $2, mode = $3, transaction_id = $4, received = $5 where merchant_order_id = $1";
        self.execute_deferred(
            query(CLOSE)
                .bind(merchant_order_id)
                .bind(state.as_str())
                .bind(payment.mode)
                .bind(payment.transaction_id)
                .bind(payment.received.map(Paise::get)),
        )
        .await
    }

    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<LeasedAttempt>> {
        let lease = query(lease_attempts_query(self.skip_locked()))
            .bind(now_ms)
            .bind(until_ms)
            .bind(limit);
        let rows = self.fetch_all::<LeasedAttemptRow>(lease).await?;
        let leased = |row: LeasedAttemptRow| {
            Ok(LeasedAttempt {
                attempt: row.attempt.into_attempt()?,
                is_waited_for: row.waiting_orders > 0,
                due_at_ms: row.next_look_at,
            })
        };
        rows.into_iter().map(leased).collect()
    }

    async fn schedule_poll(
        &mut self,
        merchant_order_id: &AttemptId,
        polled_at_ms: i64,
        next_poll_at_ms: i64,
    ) -> StoreResult<()> {
        const NEXT: &str = "update payment_attempts set looked_at = $2, next_look_at = $3, leased_until = 0 where merchant_order_id = $1";
        self.execute_deferred(
            query(NEXT)
                .bind(merchant_order_id)
                .bind(polled_at_ms)
                .bind(next_poll_at_ms),
        )
        .await
    }

    async fn schedule_polls(
        &mut self,
        merchant_order_ids: &[AttemptId],
        polled_at_ms: i64,
        next_poll_at_ms: i64,
    ) -> StoreResult<()> {
        if merchant_order_ids.is_empty() {
            return Ok(());
        }
        let ids = pad_list(merchant_order_ids);
        let text = format!(
            "with polled as (select merchant_order_id from payment_attempts where merchant_order_id in ({})
                and state in ('opening', 'open') {})
            update payment_attempts set looked_at = $1, next_look_at = $2, leased_until = 0
                where merchant_order_id in (select merchant_order_id from polled)",
            placeholders(3, ids.len()),
            self.skip_locked()
        );
        let schedule = query(text).bind(polled_at_ms).bind(next_poll_at_ms);
        self.execute_deferred(ids.into_iter().fold(schedule, Query::bind))
            .await
    }
}

impl SqlRepository<'_> {
    /// On PostgreSQL it locks the user, the order and the attempt, in the same sequence as all transactions, and reads
    /// them after previous locks were released.
    pub(crate) async fn find_attempt_with_order(
        &mut self,
        id: &AttemptId,
        is_locking: bool,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        let lock = if is_locking && self.is_postgres() {
            "for update of u, o, a"
        } else {
            ""
        };
        let text = format!(
            "select o.*, {LINE}, a.merchant_order_id as attempt_id, a.amount as attempt_amount, a.state as attempt_state,
             a.redirect_url as attempt_redirect_url, a.expires_at as attempt_expires_at, a.created_at as attempt_created_at,
             a.looked_at as attempt_looked_at, u.email as user_email, u.name as user_name, u.deleted_at as user_deleted_at
             from payment_attempts a join orders o on o.id = a.order_id join users u on u.id = o.user_id
             left join order_lines l on l.order_id = o.id where a.merchant_order_id = $1 order by l.line {lock}"
        );
        let rows = self
            .fetch_all::<AttemptWithOrderRow>(query(text).bind(id))
            .await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let state = PaymentAttemptState::parse(&first.attempt_state).ok_or_else(|| {
            let state = &first.attempt_state;
            StoreError::Broken(anyhow::anyhow!("attempt {id} is {state}"))
        })?;
        let attempt = PaymentAttempt {
            merchant_order_id: first.attempt_id.clone(),
            order_id: first.with_line.order.id.clone(),
            amount: Paise::new(first.attempt_amount),
            state,
            redirect_url: first.attempt_redirect_url.clone(),
            expires_at_ms: first.attempt_expires_at,
            created_at_ms: first.attempt_created_at,
            polled_at_ms: first.attempt_looked_at,
        };
        let is_deleted = first.user_deleted_at.is_some();
        let recipient = (!is_deleted).then(|| (first.user_email.clone(), first.user_name.clone()));
        let order = group_lines(rows.into_iter().map(|row| row.with_line).collect())?.pop();
        Ok(order.map(|order| AttemptWithOrder {
            order,
            attempt,
            recipient,
        }))
    }
}
