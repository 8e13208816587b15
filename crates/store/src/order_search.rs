//! Finding orders among very many: a count and a page for a screen, one chunk after another for a file.
//!
//! The condition is made of the parts that the filter has, so that the engine sees which index fits. Pages
//! are found by their ids alone, from an index that has all it takes; only then are the rows read.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::order_search::{
    OrderCursor, OrderFilter, OrderSearchQueries, SearchIndexRepository,
};
use mirasa_domain::order::{Order, OrderStatus};

use crate::engine::{SqlRepository, placeholders};
use crate::id_ngrams::IndexedTable;
use crate::order_row::OrderRow;
use crate::query::{Param, query};

/// Orders that are deleted are in no list, and in none of the indexes for lists.
const LISTED: &str = "deleted_at is null";

/// A condition and what belongs to its placeholders, in their order.
struct Condition {
    text: String,
    values: Vec<Param<'static>>,
}

impl Condition {
    fn listed() -> Condition {
        Condition {
            text: LISTED.into(),
            values: Vec::new(),
        }
    }

    /// `?` in the text becomes this value's placeholder.
    fn and(&mut self, text: &str, value: impl Into<Param<'static>>) {
        let placeholder = format!("${}", self.bind(value));
        self.text.push_str(" and ");
        self.text.push_str(&text.replace('?', &placeholder));
    }

    fn any_of(&mut self, column: &str, texts: Vec<String>) {
        let first = self.values.len() + 1;
        let list = if texts.is_empty() {
            "null".into()
        } else {
            placeholders(first, texts.len())
        };
        self.values.extend(texts.into_iter().map(Param::from));
        self.text.push_str(&format!(" and {column} in ({list})"));
    }

    /// The number of the value's placeholder.
    fn bind(&mut self, value: impl Into<Param<'static>>) -> usize {
        self.values.push(value.into());
        self.values.len()
    }
}

/// An order is shown by the last 8 of its id's 36 characters; an index has them under these very words.
const SHOWN: &str = "substr(id, 29) = ?";

/// What somebody typed to find an id: the more it tells, the less has to be looked through.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Nothing,
    Whole(String),
    /// Eight digits: very likely those by which an order is shown.
    Shown(String),
    Part(String),
}

impl Typed {
    fn of(text: &str) -> Typed {
        let text = text.trim().to_lowercase();
        match text.len() {
            0 => Typed::Nothing,
            36 => Typed::Whole(text),
            8 if text.chars().all(|c| c.is_ascii_hexdigit()) => Typed::Shown(text),
            _ => Typed::Part(text),
        }
    }
}

#[async_trait]
impl OrderSearchQueries for SqlRepository<'_> {
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64> {
        let condition = self.condition(filter).await?;
        let text = if condition.text == LISTED {
            // SQLite counts a whole table without looking at its rows.
            "select (select count(*) from orders) - (select count(*) from orders where deleted_at is not null)".into()
        } else {
            format!("select count(*) from orders where {}", condition.text)
        };
        self.fetch_one(query(text).bind_each(condition.values))
            .await
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
        // Skipping costs a step for each order skipped.
        let (way, offset) = if offset > total / 2 {
            ("asc", total - offset - limit)
        } else {
            ("desc", offset)
        };
        let mut condition = self.condition(filter).await?;
        let limit = condition.bind(limit);
        let offset = condition.bind(offset);
        let text = format!(
            "select * from orders where id in (select id from orders where {} order by created_at {way}, id {way}
             limit ${limit} offset ${offset}) order by created_at desc, id desc",
            condition.text
        );
        self.fetch(condition, text).await
    }

    /// Goes on where the last chunk ended, whatever came or went meanwhile.
    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        behind: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>> {
        let mut condition = self.condition(filter).await?;
        if let Some(place) = behind {
            let at = condition.bind(place.created_at_ms);
            let id = place.id.clone();
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
        let more_orders = self.fill_id_parts(IndexedTable::Orders).await?;
        let more_people = self.fill_id_parts(IndexedTable::Users).await?;
        Ok(more_orders || more_people)
    }
}

impl SqlRepository<'_> {
    async fn condition(&mut self, filter: &OrderFilter) -> StoreResult<Condition> {
        let mut condition = Condition::listed();
        let contains = self.position_fn();
        if let Some(status) = filter.status {
            let status = OrderStatus::as_str(status).to_owned();
            condition.and("order_status = ?", status);
        }
        // Ids are small letters; people type them as they are shown, in capitals.
        match Typed::of(&filter.order_id) {
            Typed::Nothing => {}
            Typed::Whole(id) => condition.and("id = ?", id),
            Typed::Shown(end) if self.is_shown(&end).await? => {
                condition.and(SHOWN, end);
            }
            Typed::Shown(part) | Typed::Part(part) => {
                match self.find_by_fragment(IndexedTable::Orders, &part).await? {
                    Some(orders) => condition.any_of("id", orders),
                    None => condition.and(&format!("{contains}(id, ?) > 0"), part),
                }
            }
        }
        match Typed::of(&filter.user_id) {
            Typed::Nothing => {}
            Typed::Whole(id) => condition.and("user_id = ?", id),
            Typed::Shown(part) | Typed::Part(part) => {
                match self.find_by_fragment(IndexedTable::Users, &part).await? {
                    Some(people) => condition.any_of("user_id", people),
                    None => condition.and(&format!("{contains}(user_id, ?) > 0"), part),
                }
            }
        }
        if let Some(from) = filter.from_ms {
            condition.and("created_at >= ?", from);
        }
        if let Some(to) = filter.to_ms {
            condition.and("created_at <= ?", to);
        }
        Ok(condition)
    }

    /// Whether an order is shown under this number.
    async fn is_shown(&mut self, end: &str) -> StoreResult<bool> {
        let text = format!(
            "select count(*) from orders where {}",
            SHOWN.replace('?', "$1")
        );
        let orders = self.fetch_one::<i64>(query(text).bind(end)).await?;
        Ok(orders > 0)
    }

    async fn fetch(&mut self, condition: Condition, text: String) -> StoreResult<Vec<Order>> {
        let rows: Vec<OrderRow> = self
            .fetch_all(query(text).bind_each(condition.values))
            .await?;
        self.with_lines(rows).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_tells_where_to_look() {
        let id = "019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34";
        for (typed, means) in [
            ("  ", Typed::Nothing),
            (id, Typed::Whole(id.into())),
            (&id.to_uppercase(), Typed::Whole(id.into())),
            ("019A8D2E-4f", Typed::Part("019a8d2e-4f".into())),
            ("EE12AB34", Typed::Shown("ee12ab34".into())),
            ("e12ab34", Typed::Part("e12ab34".into())),
            ("4f3c-7a1", Typed::Part("4f3c-7a1".into())),
            ("shopper1", Typed::Part("shopper1".into())),
            ("%", Typed::Part("%".into())),
            ("नमस्ते", Typed::Part("नमस्ते".into())),
        ] {
            assert_eq!(Typed::of(typed), means, "{typed}");
        }
    }
}
