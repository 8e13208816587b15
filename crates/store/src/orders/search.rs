//! Search in a large number of orders: counts and pages for the admin area, batches for the CSV file.
//!
//! The condition contains only the parts that the filter has, so that the engine can choose an index. The ids of a page
//! are read from a covering index before its rows are read.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::orders::search::{
    OnlyOrders, OrderCursor, OrderFilter, OrderSearchQueries, OrderWork, SalesFilter,
    SearchIndexRepository,
};
use mirasa_domain::order::{Order, OrderStatus};

use crate::orders::row::OrderRow;
use crate::orders::work::{HAS_PACKS_TO_SEND, TO_PACK, TO_SEND, to_confirm};
use crate::reports::daily_sales::conditions::{
    IS_RETURNED, day_of, hour_of, is_late, is_repeat, is_sale, refunded,
};
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Param, query};
use crate::sqlite::id_ngrams::IndexedTable;

/// Deleted orders are in no list and in none of the indexes for lists.
const NOT_DELETED: &str = "deleted_at is null";
const DELETED: &str = "deleted_at is not null";

/// The most orders that PostgreSQL finds by a pattern before it sorts them. If there are more, a page is found sooner in
/// the order of the list.
const MAX_SORTED_MATCHES: i64 = 1000;

/// How PostgreSQL finds the orders whose id contains a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FragmentSearch {
    /// The planner chooses between a trigram index and a scan.
    Planned,
    /// In the order of the list.
    Scan,
}

/// A condition and the values of its placeholders, in their order.
struct WhereClause {
    text: String,
    /// Whether it searches for a part of an id on PostgreSQL.
    has_pattern: bool,
    values: Vec<Param<'static>>,
}

impl WhereClause {
    fn new(filter: &OrderFilter) -> WhereClause {
        let text = if filter.deleted { DELETED } else { NOT_DELETED };
        WhereClause {
            text: text.into(),
            has_pattern: false,
            values: Vec::new(),
        }
    }

    /// `?` in the text becomes this value's placeholder.
    fn and(&mut self, text: &str, value: impl Into<Param<'static>>) {
        let placeholder = format!("${}", self.bind(value));
        self.text.push_str(" and ");
        self.text.push_str(&text.replace('?', &placeholder));
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(" and ");
        self.text.push_str(text);
    }

    fn is_in(&mut self, column: &str, texts: Vec<String>) {
        let first = self.values.len() + 1;
        let list = if texts.is_empty() {
            "null".into()
        } else {
            placeholders(first, texts.len())
        };
        self.values.extend(texts.into_iter().map(Param::from));
        self.text.push_str(&format!(" and {column} in ({list})"));
    }

    fn add_only(&mut self, only: OnlyOrders, today: i64) {
        let sale = is_sale("orders");
        let has_parcel = "exists (select 1 from shipments s where s.order_id = orders.id and";
        let text = match only {
            OnlyOrders::Sales => sale,
            OnlyOrders::Refunded => format!("{sale} and {} > 0", refunded("orders")),
            OnlyOrders::Discounted => format!("{sale} and orders.discount_amount > 0"),
            OnlyOrders::Repeat => format!("{sale} and {}", is_repeat("orders")),
            OnlyOrders::Returned => format!("{has_parcel} {IS_RETURNED})"),
            OnlyOrders::Late => {
                let late = is_late("?");
                return self.and(&format!("{has_parcel} {late})"), today);
            }
        };
        self.text.push_str(" and ");
        self.text.push_str(&text);
    }

    /// The number of the value's placeholder.
    fn bind(&mut self, value: impl Into<Param<'static>>) -> usize {
        self.values.push(value.into());
        self.values.len()
    }
}

/// As `crate::shipping::conditions::TO_SHIP` has it.
const TO_SHIP: &str = "packed_at is not null and order_status = 'confirmed' and not exists
    (select 1 from shipments s where s.order_id = orders.id and s.status not in ('cancelled', 'returned', 'lost'))
    and not exists (select 1 from cancellation_requests c where c.order_id = orders.id and c.decided_at is null)";
/// Their customers wait for the answer to their cancellation.
const TO_DECIDE: &str = "exists (select 1 from cancellation_requests c where c.order_id = orders.id and c.decided_at is null)";

const HAS_OPEN_PROBLEM: &str =
    "id in (select p.order_id from order_problems p where p.state = 'open')";

/// The short id of an order is the last 8 of the 36 characters of its id. An index has this expression.
const SHORT_ID_EQUALS: &str = "substr(id, 29) = ?";

/// A search text for an id, by what can be matched with it.
#[derive(Debug, PartialEq, Eq)]
enum IdSearch {
    Empty,
    Full(String),
    /// Eight hexadecimal digits: probably the short id of an order.
    ShortId(String),
    Fragment(String),
}

impl IdSearch {
    fn parse(text: &str) -> IdSearch {
        let text = text.trim().to_lowercase();
        match text.len() {
            0 => IdSearch::Empty,
            36 => IdSearch::Full(text),
            8 if text.chars().all(|c| c.is_ascii_hexdigit()) => IdSearch::ShortId(text),
            _ => IdSearch::Fragment(text),
        }
    }
}

#[async_trait]
impl OrderSearchQueries for SqlRepository<'_> {
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64> {
        let condition = self.condition(filter, FragmentSearch::Planned).await?;
        let text = if condition.text == NOT_DELETED {
            // SQLite counts a whole table without reading its rows.
            "select (select count(*) from orders) - (select count(*) from orders where deleted_at is not null)".into()
        } else {
            format!("select count(*) from orders where {}", condition.text)
        };
        let count = query(text).planned_each_time(condition.has_pattern);
        self.fetch_one(count.bind_each(condition.values)).await
    }

    async fn orders_page(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>> {
        let limit = limit.min(total - offset);
        if limit <= 0 {
            return Ok(Vec::new());
        }
        // The cost of an offset grows with the number of skipped rows.
        let (direction, offset) = if offset > total / 2 {
            ("asc", total - offset - limit)
        } else {
            ("desc", offset)
        };
        let search = if total <= MAX_SORTED_MATCHES {
            FragmentSearch::Planned
        } else {
            FragmentSearch::Scan
        };
        let mut condition = self.condition(filter, search).await?;
        let limit = condition.bind(limit);
        let offset = condition.bind(offset);
        let matches = if condition.has_pattern {
            // The offset keeps the planner from searching in the order of the list, where it expects a match too soon.
            format!(
                "(select id, created_at from orders where {} offset 0) matches",
                condition.text
            )
        } else {
            format!("orders where {}", condition.text)
        };
        let text = format!(
            "select * from orders where id in (select id from {matches} order by created_at {direction}, id {direction}
             limit ${limit} offset ${offset}) order by created_at desc, id desc"
        );
        self.fetch(condition, text).await
    }

    /// Continues after the cursor, even if orders were added or deleted meanwhile.
    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        cursor: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>> {
        let mut condition = self.condition(filter, FragmentSearch::Planned).await?;
        if let Some(cursor) = cursor {
            let at = condition.bind(cursor.created_at_ms);
            let id = cursor.id.0.clone();
            condition.and(&format!("(created_at, id) < (${at}, ?)"), id);
        }
        let limit = condition.bind(limit);
        let text = format!(
            "select * from orders where {} order by created_at desc, id desc limit ${limit}",
            condition.text
        );
        self.fetch(condition, text).await
    }
}

#[async_trait]
impl SearchIndexRepository for SqlRepository<'_> {
    async fn index_new_ids(&mut self) -> StoreResult<bool> {
        let more_orders = self.index_batch(IndexedTable::Orders).await?;
        let more_users = self.index_batch(IndexedTable::Users).await?;
        Ok(more_orders || more_users)
    }
}

impl SqlRepository<'_> {
    async fn condition(
        &mut self,
        filter: &OrderFilter,
        search: FragmentSearch,
    ) -> StoreResult<WhereClause> {
        let mut condition = WhereClause::new(filter);
        if let Some(status) = filter.status {
            let status = OrderStatus::as_str(status).to_owned();
            condition.and("order_status = ?", status);
        }
        // Ids are stored in lower case, but short ids are shown in capitals.
        match IdSearch::parse(&filter.order_id) {
            IdSearch::Empty => {}
            IdSearch::Full(id) => condition.and("id = ?", id),
            IdSearch::ShortId(end) if self.short_id_exists(&end).await? => {
                condition.and(SHORT_ID_EQUALS, end);
            }
            IdSearch::ShortId(part) | IdSearch::Fragment(part) => {
                self.add_fragment(&mut condition, search, IndexedTable::Orders, &part)
                    .await?;
            }
        }
        match IdSearch::parse(&filter.user_id) {
            IdSearch::Empty => {}
            IdSearch::Full(id) => condition.and("user_id = ?", id),
            IdSearch::ShortId(part) | IdSearch::Fragment(part) => {
                self.add_fragment(&mut condition, search, IndexedTable::Users, &part)
                    .await?;
            }
        }
        match filter.work {
            None => {}
            Some(OrderWork::Pack) => {
                condition.push(TO_PACK);
                condition.push(HAS_PACKS_TO_SEND);
            }
            Some(OrderWork::Ship) => {
                condition.push(TO_SHIP);
                condition.push(HAS_PACKS_TO_SEND);
            }
            Some(OrderWork::Confirm) => condition.push(&format!("id in ({})", to_confirm())),
            Some(OrderWork::Cancellation) => condition.push(TO_DECIDE),
            Some(OrderWork::Problem) => condition.push(HAS_OPEN_PROBLEM),
            Some(OrderWork::Overdue { before_ms }) => {
                condition.push(TO_SEND);
                condition.push(HAS_PACKS_TO_SEND);
                condition.and("created_at < ?", before_ms);
            }
        }
        if let Some(from) = filter.from_ms {
            condition.and("created_at >= ?", from);
        }
        if let Some(to) = filter.to_ms {
            condition.and("created_at <= ?", to);
        }
        self.add_sales_filter(&mut condition, &filter.sales);
        Ok(condition)
    }

    /// Adds the condition that the id of the order, or of its user, contains this part.
    async fn add_fragment(
        &mut self,
        condition: &mut WhereClause,
        search: FragmentSearch,
        ids: IndexedTable,
        part: &str,
    ) -> StoreResult<()> {
        let column = match ids {
            IndexedTable::Orders => "id",
            IndexedTable::Users => "user_id",
        };
        if !self.is_postgres() {
            match self.find_by_fragment(ids, part).await? {
                Some(found) => condition.is_in(column, found),
                None => condition.and(&self.contains(column, "?"), part.to_owned()),
            }
        } else if search == FragmentSearch::Scan {
            condition.and(&format!("strpos({column}, ?) > 0"), part.to_owned());
        } else {
            let contains = self.contains("id", "?");
            let text = match ids {
                IndexedTable::Orders => contains,
                // There are fewer users than orders, and orders have an index by user.
                IndexedTable::Users => {
                    format!("user_id in (select id from users where {contains})")
                }
            };
            condition.and(&text, self.search_pattern(part));
            condition.has_pattern = true;
        }
        Ok(())
    }

    fn add_sales_filter(&self, condition: &mut WhereClause, filter: &SalesFilter) {
        if let Some(only) = filter.only {
            condition.add_only(only, filter.today);
        }
        let has_line = "exists (select 1 from order_lines l where l.order_id = orders.id";
        if !filter.product_id.is_empty() {
            let product = filter.product_id.clone();
            condition.and(&format!("{has_line} and l.product_id = ?)"), product);
        }
        if !filter.category.is_empty() {
            condition.text.push_str(&format!(" and {has_line}"));
            condition.is_in("l.product_id", filter.category_products.clone());
            condition.text.push(')');
        }
        if !filter.state.is_empty() {
            let state = self.state_of("orders");
            condition.and(&format!("{state} = ?"), filter.state.clone());
        }
        if let Some(weekday) = filter.weekday {
            // The days are counted from a Thursday.
            let day = day_of("orders.created_at");
            condition.and(&format!("({day} + 3) % 7 + 1 = ?"), i64::from(weekday));
        }
        if let Some(hour) = filter.hour {
            let of_order = hour_of("orders.created_at");
            condition.and(&format!("{of_order} = ?"), i64::from(hour));
        }
    }

    async fn short_id_exists(&mut self, short_id: &str) -> StoreResult<bool> {
        let text = format!(
            "select count(*) from orders where {}",
            SHORT_ID_EQUALS.replace('?', "$1")
        );
        let orders = self.fetch_one::<i64>(query(text).bind(short_id)).await?;
        Ok(orders > 0)
    }

    async fn fetch(&mut self, condition: WhereClause, text: String) -> StoreResult<Vec<Order>> {
        let find = query(text).planned_each_time(condition.has_pattern);
        let rows: Vec<OrderRow> = self.fetch_all(find.bind_each(condition.values)).await?;
        self.with_lines(rows).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_search_recognises_full_and_short_ids() {
        let id = "019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34";
        for (text, expected) in [
            ("  ", IdSearch::Empty),
            (id, IdSearch::Full(id.into())),
            (&id.to_uppercase(), IdSearch::Full(id.into())),
            ("019A8D2E-4f", IdSearch::Fragment("019a8d2e-4f".into())),
            ("EE12AB34", IdSearch::ShortId("ee12ab34".into())),
            ("e12ab34", IdSearch::Fragment("e12ab34".into())),
            ("4f3c-7a1", IdSearch::Fragment("4f3c-7a1".into())),
            ("shopper1", IdSearch::Fragment("shopper1".into())),
            ("%", IdSearch::Fragment("%".into())),
            ("नमस्ते", IdSearch::Fragment("नमस्ते".into())),
        ] {
            assert_eq!(IdSearch::parse(text), expected, "{text}");
        }
    }
}
