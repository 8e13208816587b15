//! The search of the console: orders by a number that belongs to them. Each part reads an index.

use async_trait::async_trait;
use mirasa_app::repository::reports::console_search::{
    ConsoleSearchQueries, FoundOrder, OrderMatch, OrderNumber,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderId, OrderStatus};

use crate::sql::engine::SqlRepository;
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct FoundRow {
        id: OrderId,
        matched: String,
        number: String,
        customer_name: String,
        total: i64,
        order_status: String,
        created_at: i64,
        deleted_at: Option<i64>,
    }
}

impl FoundRow {
    fn into_found(self) -> StoreResult<FoundOrder> {
        let broken = |what: &str| StoreError::Broken(anyhow::anyhow!("order {}: {what}", self.id));
        Ok(FoundOrder {
            matched: OrderMatch::parse(&self.matched).ok_or_else(|| broken("match"))?,
            status: OrderStatus::parse(&self.order_status).ok_or_else(|| broken("status"))?,
            id: self.id,
            number: self.number,
            customer_name: self.customer_name,
            total: Paise::new(self.total),
            created_at_ms: self.created_at,
            deleted_at_ms: self.deleted_at,
        })
    }
}

/// SQLite takes no limit in a part of a union, but in a query inside it.
fn part(matched: OrderMatch, number: &str, from: &str, limit: usize) -> String {
    format!(
        "select * from (select o.id, '{}' as matched, {number} as number,
            case when u.deleted_at is null then u.name else '' end as customer_name, o.total, o.order_status, o.created_at, o.deleted_at
         from {from} join users u on u.id = o.user_id where {{}} order by o.created_at desc, o.id desc limit ${limit}) found_{}",
        matched.as_str(),
        matched.as_str()
    )
}

#[async_trait]
impl ConsoleSearchQueries for SqlRepository<'_> {
    async fn orders_by_number(
        &mut self,
        number: Option<&OrderNumber>,
        text: &str,
        limit: i64,
    ) -> StoreResult<Vec<FoundOrder>> {
        let of_parcel = part(
            OrderMatch::Tracking,
            "s.tracking_number",
            "shipments s join orders o on o.id = s.order_id",
            2,
        );
        let of_invoice = part(
            OrderMatch::Invoice,
            "d.number",
            "documents d join orders o on o.id = d.order_id",
            2,
        );
        let mut parts = vec![
            of_parcel.replace(
                "{}",
                "lower(s.tracking_number) = lower($1) and s.tracking_number <> ''",
            ),
            of_invoice.replace("{}", "d.number = upper($1)"),
        ];
        let of_order = part(OrderMatch::Order, "''", "orders o", 2);
        let mut values = Vec::new();
        match number {
            None => {}
            Some(OrderNumber::Full(id)) => {
                parts.insert(0, of_order.replace("{}", "o.id = $3"));
                values.push(id.clone());
            }
            // An index has the expression. `g` comes after all hexadecimal digits.
            Some(OrderNumber::Shown(start)) => {
                let is_between = "substr(o.id, 29) >= $3 and substr(o.id, 29) < $4";
                parts.insert(0, of_order.replace("{}", is_between));
                values.extend([start.clone(), format!("{start}g")]);
            }
        }
        let find = query(parts.join(" union all ")).bind(text).bind(limit);
        let find = values.into_iter().fold(find, Query::bind);
        let rows: Vec<FoundRow> = self.fetch_all(find).await?;
        rows.into_iter().map(FoundRow::into_found).collect()
    }
}
