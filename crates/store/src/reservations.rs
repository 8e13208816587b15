//! Stock that unpaid orders reserve, and orders that have ended.

use async_trait::async_trait;
use mirasa_app::ports::orders::Order;
use mirasa_app::ports::reservations::{
    ReadReservations, RecentOrder, Reservation, WriteReservations,
};
use mirasa_app::ports::storage::StoreResult;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::order::PaymentStatus;
use mirasa_domain::pack::Packs;
use mirasa_domain::user::UserId;

use crate::engine::{SqlRepository, to_u32};
use crate::order_rows::OrderRow;
use crate::query::query;
use crate::row::row;

row! {
    struct ReservationRow {
        id: String,
        name: String,
        email: String,
        small: i64,
        large: i64,
        total: i64,
        created_at: i64,
        expires_at: i64,
    }
}

row! {
    struct RecentRow {
        user_deleted_at: Option<i64>,
        payment_status: Option<String>,
        ended_at: Option<i64>,
    }
}

/// Pending orders have a small index of their own; lines are read for them alone.
const RESERVATIONS: &str = "select o.id, u.name, u.email, o.total, o.created_at, o.expires_at,
    cast(coalesce(sum(l.qty_50g), 0) as bigint) as small, cast(coalesce(sum(l.qty_100g), 0) as bigint) as large
    from orders o join users u on u.id = o.user_id left join order_lines l on l.order_id = o.id
    where o.payment_status = 'pending' and o.holds_stock and o.deleted_at is null
    group by o.id, u.name, u.email, o.total, o.created_at, o.expires_at
    order by coalesce(sum(l.qty_50g + 2 * l.qty_100g), 0) desc, o.created_at, o.id limit $1";
/// More orders than the longest cool-down needs.
const RECENT: &str =
    "select u.deleted_at as user_deleted_at, o.payment_status, o.ended_at from users u
    left join orders o on o.user_id = u.id and o.deleted_at is null and o.created_at > $2
    and (o.payment_status = 'completed' or o.end_reason in ('expired', 'released'))
    where u.id = $1 order by o.created_at desc, o.id desc limit 20";

fn on_purpose() -> String {
    let reasons = EndReason::ALL.into_iter().filter(|one| one.is_deliberate());
    let quoted: Vec<_> = reasons.map(|one| format!("'{}'", one.as_str())).collect();
    quoted.join(", ")
}

#[async_trait]
impl ReadReservations for SqlRepository<'_> {
    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>> {
        let rows: Vec<ReservationRow> = self.fetch_all(query(RESERVATIONS).bind(limit)).await?;
        let reservation = |row: ReservationRow| Reservation {
            order_id: row.id,
            customer_name: row.name,
            customer_email: row.email,
            packs: Packs {
                of_50g: to_u32(row.small),
                of_100g: to_u32(row.large),
            },
            total: Paise::new(row.total),
            created_at_ms: row.created_at,
            expires_at_ms: row.expires_at,
        };
        Ok(rows.into_iter().map(reservation).collect())
    }

    async fn recent_orders(
        &mut self,
        user: &UserId,
        since_ms: i64,
    ) -> StoreResult<Option<Vec<RecentOrder>>> {
        let rows: Vec<RecentRow> = self
            .fetch_all(query(RECENT).bind(&user.0).bind(since_ms))
            .await?;
        let is_there = rows
            .first()
            .is_some_and(|row| row.user_deleted_at.is_none());
        let recent = rows.into_iter().filter_map(|row| {
            let status = PaymentStatus::parse(row.payment_status.as_deref()?)?;
            match status {
                PaymentStatus::Completed => Some(RecentOrder::Paid),
                PaymentStatus::Pending | PaymentStatus::Failed => {
                    let ended_at_ms = row.ended_at?;
                    Some(RecentOrder::Unpaid { ended_at_ms })
                }
            }
        });
        Ok(is_there.then(|| recent.collect()))
    }

    async fn deleted_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        const FIND: &str = "select * from orders where user_id = $1 and deleted_at is not null order by created_at desc, id desc";
        let rows: Vec<OrderRow> = self.fetch_all(query(FIND).bind(&user.0)).await?;
        self.with_lines(rows).await
    }
}

#[async_trait]
impl WriteReservations for SqlRepository<'_> {
    async fn mark_failed_orders(&mut self, user: &UserId, reason: EndReason) -> StoreResult<()> {
        // Deleted orders were marked when they were deleted.
        let text = format!(
            "update orders set end_reason = $2 where user_id = $1 and deleted_at is null
             and payment_status = 'failed' and (end_reason is null or end_reason not in ({}))",
            on_purpose()
        );
        self.execute_deferred(query(text).bind(&user.0).bind(reason.as_str()))
            .await
    }
}
