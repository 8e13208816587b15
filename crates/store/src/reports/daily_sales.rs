//! Sums of paid orders by day.
//!
//! Triggers mark the days whose orders or refunds change, in the transaction that changes them. A worker stores the sums of
//! a marked day and deletes the marks that it has seen. A read takes the stored sums of the other days and counts the
//! marked days from their orders, so it is never behind.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::daily_sales::{
    DailySalesQueries, DailySalesRepository, ParcelCounts, SalesKind, SalesRow, VisitStep,
};
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use mirasa_domain::sales::{DayRange, SalesSums};

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::query;
use crate::sql::row::{FromRow, Row, row};

row! {
    struct SalesSumsRow {
        kind: String,
        day: i64,
        key: String,
        orders: i64,
        repeat_orders: i64,
        packs_50g: i64,
        packs_100g: i64,
        sales: i64,
        discounts: i64,
        refunds: i64,
        products: String,
    }
}

impl SalesSumsRow {
    fn into_row(self) -> Option<SalesRow> {
        let kind = SalesKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == self.kind)?;
        Some(SalesRow {
            kind,
            day: self.day,
            key: self.key,
            sums: SalesSums {
                orders: self.orders,
                repeat_orders: self.repeat_orders,
                packs_50g: self.packs_50g,
                packs_100g: self.packs_100g,
                sales: Paise::new(self.sales),
                discounts: Paise::new(self.discounts),
                refunds: Paise::new(self.refunds),
            },
        })
    }
}

row! {
    struct VisitsRow {
        step: String,
        count: i64,
    }
}

struct NameRow(ProductId, String);

impl FromRow for NameRow {
    fn from_row(row: &Row<'_>) -> StoreResult<NameRow> {
        Ok(NameRow(ProductId(row.get("id")?), row.get("name")?))
    }
}

row! {
    struct ParcelsRow {
        late: i64,
        returned: i64,
    }
}

/// Whether an order is a sale. `o` is the name of the table `orders` in the query.
pub(crate) fn is_sale(o: &str) -> String {
    format!(
        "{o}.payment_status = 'completed' and {o}.order_status <> 'cancelled' and {o}.replaces_order_id is null and {o}.deleted_at is null"
    )
}

/// Whether the customer has an earlier sale.
pub(crate) fn is_repeat(o: &str) -> String {
    let sale = is_sale("p");
    format!(
        "exists (select 1 from orders p where p.user_id = {o}.user_id and (p.created_at, p.id) < ({o}.created_at, {o}.id) and {sale})"
    )
}

/// What was refunded of the payment of an order. Refunds of second payments are no part of a sale.
pub(crate) fn refunded(o: &str) -> String {
    format!(
        "coalesce((select sum(r.amount) from refunds r where r.order_id = {o}.id and r.merchant_order_id = {o}.paid_by and r.state <> 'failed'), 0)"
    )
}

/// The day in India of a timestamp, as `mirasa_domain::ist::day` has it.
pub(crate) fn day_of(timestamp: &str) -> String {
    format!("({timestamp} + 19800000) / 86400000")
}

pub(crate) fn hour_of(timestamp: &str) -> String {
    format!("({timestamp} + 19800000) % 86400000 / 3600000")
}

/// `s` is a shipment. A lost parcel is late. `today` is a placeholder.
pub(crate) fn is_late(today: &str) -> String {
    format!(
        "(s.status not in ('cancelled', 'returning', 'returned') and s.expected_at is not null
        and (case when s.status = 'delivered' then {} else {today} end) > {})",
        day_of("s.ended_at"),
        day_of("s.expected_at")
    )
}

pub(crate) const IS_RETURNED: &str = "s.status in ('returning', 'returned')";

const SUMS: &str = "count(*) as orders, cast(sum(repeated) as bigint) as repeat_orders, cast(sum(small) as bigint) as packs_50g,
    cast(sum(large) as bigint) as packs_100g, cast(sum(total) as bigint) as sales, cast(sum(discount_amount) as bigint) as discounts,
    cast(sum(refunded) as bigint) as refunds";

const COLUMNS: &str = "kind, day, key, orders, repeat_orders, packs_50g, packs_100g, sales, discounts, refunds, products";

const STORED_TOTALS: &str = "select kind, day, key, orders, repeat_orders, packs_50g, packs_100g, sales, discounts, refunds,
    '' as products from daily_sales where kind = 'total' and day between $1 and $2";

const STORED: &str =
    "select * from daily_sales where kind in ('total', 'state', 'hour') and day between $1 and $2";

impl SqlRepository<'_> {
    /// The state of the address that an order has as JSON.
    pub(crate) fn state_of(&self, o: &str) -> String {
        if self.is_postgres() {
            format!("coalesce(cast({o}.address as json) ->> 'state', '')")
        } else {
            format!("coalesce({o}.address ->> 'state', '')")
        }
    }

    /// Counts the sales that match the condition from the orders, with the columns of `daily_sales`.
    fn count_sales(&self, condition: &str) -> String {
        let (sale, repeated, refunded) = (is_sale("o"), is_repeat("o"), refunded("o"));
        let (day, hour) = (day_of("o.created_at"), hour_of("o.created_at"));
        let state = self.state_of("o");
        // The lines that `ProductLine` parses.
        let item = "orders || ' ' || repeat_orders || ' ' || small || ' ' || large || ' ' || total || ' ' || discount || ' ' || product_id";
        let list = if self.is_postgres() {
            format!("string_agg({item}, '\n' order by product_id)")
        } else {
            format!("group_concat({item}, '\n' order by product_id)")
        };
        format!(
            "with sales as (select o.id, {day} as day, {hour} as hour, {state} as state, o.total, o.discount_amount,
                case when {repeated} then 1 else 0 end as repeated, {refunded} as refunded,
                (select sum(l.qty_50g) from order_lines l where l.order_id = o.id) as small,
                (select sum(l.qty_100g) from order_lines l where l.order_id = o.id) as large
                from orders o where {condition} and {sale}),
            items as (select s.day, l.product_id, count(*) as orders, cast(sum(s.repeated) as bigint) as repeat_orders,
                cast(sum(l.qty_50g) as bigint) as small, cast(sum(l.qty_100g) as bigint) as large,
                cast(sum(l.line_total) as bigint) as total, cast(sum(l.discount) as bigint) as discount
                from sales s join order_lines l on l.order_id = s.id group by s.day, l.product_id),
            lists as (select day, {list} as products from items group by day),
            totals as (select day, {SUMS} from sales group by day)
            select 'total' as kind, t.day, '' as key, t.orders, t.repeat_orders, t.packs_50g, t.packs_100g, t.sales, t.discounts,
                t.refunds, coalesce(i.products, '') as products from totals t left join lists i on i.day = t.day
            union all select 'state', day, state, {SUMS}, '' from sales group by day, state
            union all select 'hour', day, cast(hour as text), {SUMS}, '' from sales group by day, hour"
        )
    }

    fn count_sales_between(&self) -> String {
        self.count_sales("o.created_at >= $1 and o.created_at < $2")
    }

    async fn read_sales(
        &mut self,
        days: DayRange,
        stored: &'static str,
    ) -> StoreResult<Vec<SalesRow>> {
        // Before the sums: PostgreSQL may commit changes and their sums between two queries.
        const CHANGED: &str =
            "select distinct day from sales_changes where day between $1 and $2 order by day";
        let changed: Vec<i64> = self
            .fetch_all(query(CHANGED).bind(days.first).bind(days.last))
            .await?;
        let counted = self.count_sales_between();
        let mut rows = Vec::new();
        for run in runs(days, &changed) {
            let DayRange { first, last } = run.days;
            let read = if run.is_changed {
                query(counted.clone())
                    .bind(run.days.start_ms())
                    .bind(run.days.end_ms())
            } else {
                query(stored).bind(first).bind(last)
            };
            rows.extend(self.fetch_all::<SalesSumsRow>(read).await?);
        }
        let products = sum_products(&rows);
        let rows = rows.into_iter().filter_map(SalesSumsRow::into_row);
        Ok(rows.chain(products).collect())
    }
}

/// The sums of one product in the text of a day.
struct ProductLine<'t> {
    product: &'t str,
    sums: SalesSums,
}

impl<'t> ProductLine<'t> {
    fn parse(line: &'t str) -> Option<ProductLine<'t>> {
        let mut rest = line;
        // There are a hundred thousand lines in 90 days of a large shop. For these short fields this is faster than `split`.
        let mut number = || {
            let end = rest.bytes().position(|byte| byte == b' ')?;
            let (digits, after) = rest.split_at(end);
            rest = &after[1..];
            digits.parse::<i64>().ok()
        };
        let sums = SalesSums {
            orders: number()?,
            repeat_orders: number()?,
            packs_50g: number()?,
            packs_100g: number()?,
            sales: Paise::new(number()?),
            discounts: Paise::new(number()?),
            refunds: Paise::ZERO,
        };
        Some(ProductLine {
            product: rest,
            sums,
        })
    }
}

/// One row for each product, for all days together.
fn sum_products(rows: &[SalesSumsRow]) -> Vec<SalesRow> {
    let mut products = HashMap::<&str, SalesSums>::new();
    let lines = rows.iter().flat_map(|row| row.products.lines());
    for line in lines.filter_map(ProductLine::parse) {
        *products.entry(line.product).or_default() += line.sums;
    }
    let first = rows.iter().map(|row| row.day).min().unwrap_or_default();
    let rows = products.into_iter().map(|(product, sums)| SalesRow {
        kind: SalesKind::Product,
        day: first,
        key: product.to_owned(),
        sums,
    });
    rows.collect()
}

/// Neighbouring days that are read in one query.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    days: DayRange,
    is_changed: bool,
}

/// `changed` has days of the range, in their order.
fn runs(days: DayRange, changed: &[i64]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for day in days.first..=days.last {
        let is_changed = changed.binary_search(&day).is_ok();
        match runs.last_mut() {
            Some(run) if run.is_changed == is_changed => run.days.last = day,
            _ => runs.push(Run {
                days: DayRange::until(day, 1),
                is_changed,
            }),
        }
    }
    runs
}

#[async_trait]
impl DailySalesQueries for SqlRepository<'_> {
    async fn sales(&mut self, days: DayRange) -> StoreResult<Vec<SalesRow>> {
        self.read_sales(days, STORED).await
    }

    async fn sales_totals(&mut self, days: DayRange) -> StoreResult<Vec<SalesRow>> {
        let mut rows = self.read_sales(days, STORED_TOTALS).await?;
        rows.retain(|row| row.kind == SalesKind::Total);
        Ok(rows)
    }

    async fn delayed_parcels(&mut self, days: DayRange, today: i64) -> StoreResult<ParcelCounts> {
        let late = is_late("$3");
        // A parcel is made after its order was placed. The plus signs keep SQLite from reading all orders of these days.
        let text = format!(
            "select count(distinct case when {late} then s.order_id end) as late,
                count(distinct case when {IS_RETURNED} then s.order_id end) as returned
            from shipments s join orders o on o.id = s.order_id
            where s.created_at >= $1 and ({late} or {IS_RETURNED}) and +o.created_at >= $1 and +o.created_at < $2 and o.deleted_at is null"
        );
        let counts: ParcelsRow = self
            .fetch_one(
                query(text)
                    .bind(days.start_ms())
                    .bind(days.end_ms())
                    .bind(today),
            )
            .await?;
        Ok(ParcelCounts {
            late: counts.late,
            returned: counts.returned,
        })
    }

    async fn count_placed_orders(&mut self, days: DayRange) -> StoreResult<i64> {
        // Each count reads an index only.
        const COUNT: &str = "select (select count(*) from orders where created_at >= $1 and created_at < $2 and deleted_at is null)
            - (select count(*) from orders where created_at >= $1 and created_at < $2 and replaces_order_id is not null and deleted_at is null)";
        self.fetch_one(query(COUNT).bind(days.start_ms()).bind(days.end_ms()))
            .await
    }

    async fn visits(&mut self, days: DayRange) -> StoreResult<Vec<(VisitStep, i64)>> {
        const SUM: &str = "select step, cast(sum(count) as bigint) as count from daily_visits
            where day between $1 and $2 group by step";
        let rows: Vec<VisitsRow> = self
            .fetch_all(query(SUM).bind(days.first).bind(days.last))
            .await?;
        let counts = VisitStep::ALL.into_iter().map(|step| {
            let row = rows.iter().find(|row| row.step == step.as_str());
            (step, row.map_or(0, |row| row.count))
        });
        Ok(counts.collect())
    }

    async fn product_names(&mut self, ids: &[ProductId]) -> StoreResult<Vec<(ProductId, String)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select id, name from products where id in ({})",
            placeholders(1, ids.len())
        );
        let find = ids.iter().fold(query(text), |find, id| find.bind(&id.0));
        let rows: Vec<NameRow> = self.fetch_all(find).await?;
        Ok(rows
            .into_iter()
            .map(|NameRow(id, name)| (id, name))
            .collect())
    }

    async fn wrong_sales_days(&mut self) -> StoreResult<Vec<i64>> {
        // Sums of what the orders have more than the stored sums.
        let sums = [
            "orders",
            "repeat_orders",
            "packs_50g",
            "packs_100g",
            "sales",
            "discounts",
            "refunds",
        ];
        let minus = sums.map(|sum| format!("-{sum}")).join(", ");
        let differs = sums.map(|sum| format!("sum({sum}) <> 0")).join(" or ");
        let text = format!(
            "select distinct day from (select kind, day, key from (select * from ({}) counted
                union all select kind, day, key, {minus}, products from daily_sales) compared
            where day not in (select day from sales_changes) group by kind, day, key having {differs} or min(products) <> max(products)) wrong order by day",
            self.count_sales("true")
        );
        self.fetch_all(query(text)).await
    }
}

#[async_trait]
impl DailySalesRepository for SqlRepository<'_> {
    async fn store_sales_of_changed_day(&mut self, before_day: i64) -> StoreResult<bool> {
        const FIND: &str = "select day from sales_changes where day < $1 order by day limit 1";
        let Some(day) = self
            .fetch_optional::<i64>(query(FIND).bind(before_day))
            .await?
        else {
            return Ok(false);
        };
        // Before the orders are counted, so that they have all changes whose marks are deleted. A second worker waits here
        // until the first one has committed. If there are no marks left, it must not touch the sums: a third one may be
        // storing them.
        let marks = self
            .execute(query("delete from sales_changes where day = $1").bind(day))
            .await?;
        if marks == 0 {
            return Ok(true);
        }
        self.execute(
            query("delete from daily_sales where day = $1 and kind in ('total', 'state', 'hour')")
                .bind(day),
        )
        .await?;
        let text = format!(
            "insert into daily_sales ({COLUMNS}) {}",
            self.count_sales_between()
        );
        let days = DayRange::until(day, 1);
        self.execute(query(text).bind(days.start_ms()).bind(days.end_ms()))
            .await?;
        Ok(true)
    }

    async fn add_visits(&mut self, day: i64, step: VisitStep, count: i64) -> StoreResult<()> {
        const ADD: &str = "insert into daily_visits (day, step, count) values ($1, $2, $3)
            on conflict (day, step) do update set count = daily_visits.count + excluded.count";
        self.execute(query(ADD).bind(day).bind(step.as_str()).bind(count))
            .await
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_runs() {
        let days = DayRange { first: 5, last: 10 };
        let run = |first, last, is_changed| Run {
            days: DayRange { first, last },
            is_changed,
        };
        assert_eq!(runs(days, &[]), [run(5, 10, false)]);
        assert_eq!(runs(days, &[10]), [run(5, 9, false), run(10, 10, true)]);
        assert_eq!(
            runs(days, &[5, 7, 8]),
            [
                run(5, 5, true),
                run(6, 6, false),
                run(7, 8, true),
                run(9, 10, false)
            ]
        );
    }
}
