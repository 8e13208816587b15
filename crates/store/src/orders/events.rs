//! The history of orders.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::orders::events::{OrderEventQueries, OrderEventRepository};
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct EventRow {
        id: String,
        order_id: OrderId,
        at: i64,
        kind: String,
        actor: String,
        detail: String,
    }
}

impl EventRow {
    /// None if it is of a kind that a later version has added: during an update, this version shows the others.
    fn into_event(self) -> Option<OrderEvent> {
        Some(OrderEvent {
            kind: OrderEventKind::parse(&self.kind)?,
            id: self.id,
            order_id: self.order_id,
            at_ms: self.at,
            actor: Actor::parse(&self.actor),
            detail: self.detail,
        })
    }
}

#[async_trait]
impl OrderEventQueries for SqlRepository<'_> {
    async fn events_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<OrderEvent>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from order_events where order_id in ({}) order by order_id, at, id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<EventRow> = self.fetch_all(find).await?;
        Ok(rows.into_iter().filter_map(EventRow::into_event).collect())
    }

    async fn events_after(
        &mut self,
        order_id: &OrderId,
        version: i64,
    ) -> StoreResult<Vec<OrderEvent>> {
        const FIND: &str = "select * from order_events where order_id = $1 and order_version > $2 order by order_version";
        let find = query(FIND).bind(order_id).bind(version);
        let rows: Vec<EventRow> = self.fetch_all(find).await?;
        Ok(rows.into_iter().filter_map(EventRow::into_event).collect())
    }
}

#[async_trait]
impl OrderEventRepository for SqlRepository<'_> {
    async fn insert_order_event(&mut self, event: &OrderEvent) -> StoreResult<()> {
        const COUNT: &str = "update orders set version = version + 1 where id = $1";
        const INSERT: &str =
            "insert into order_events (id, order_id, at, kind, actor, detail, order_version)
            values ($1, $2, $3, $4, $5, $6, (select version from orders where id = $2))";
        self.execute_deferred(query(COUNT).bind(&event.order_id))
            .await?;
        let insert = query(INSERT)
            .bind(&event.id)
            .bind(&event.order_id)
            .bind(event.at_ms)
            .bind(event.kind.as_str())
            .bind(event.actor.as_str())
            .bind(&event.detail);
        self.execute_deferred(insert).await
    }
}
