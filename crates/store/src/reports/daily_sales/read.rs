//! Reads the stored sums of days, and counts those of changed days.

use std::collections::HashMap;
use std::ops::Range;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::daily_sales::{
    DailySalesQueries, ParcelCounts, SalesKind, SalesRow, VisitStep,
};
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use mirasa_domain::sales::{DayRange, SalesSums};

use crate::reports::daily_sales::conditions::{IS_RETURNED, is_late};
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

const STORED_TOTALS: &str = "select kind, day, key, orders, repeat_orders, packs_50g, packs_100g, sales, discounts, refunds,
    '' as products from daily_sales where kind = 'total' and day between $1 and $2";

const STORED: &str =
    "select * from daily_sales where kind in ('total', 'state', 'hour') and day between $1 and $2";

impl SqlRepository<'_> {
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

    async fn sales_sums(&mut self, placed_ms: Range<i64>) -> StoreResult<SalesSums> {
        let count = query(self.count_sales_between())
            .bind(placed_ms.start)
            .bind(placed_ms.end);
        let rows: Vec<SalesSumsRow> = self.fetch_all(count).await?;
        let mut sums = SalesSums::default();
        for row in rows.into_iter().filter_map(SalesSumsRow::into_row) {
            if row.kind == SalesKind::Total {
                sums += row.sums;
            }
        }
        Ok(sums)
    }

    async fn delayed_parcels(
        &mut self,
        placed_ms: Range<i64>,
        today: i64,
    ) -> StoreResult<ParcelCounts> {
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
                    .bind(placed_ms.start)
                    .bind(placed_ms.end)
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
