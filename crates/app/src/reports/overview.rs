//! The overview of the shop: what was sold in some days, compared with as many days before.

use std::collections::{BTreeMap, HashMap};

use mirasa_domain::ist;
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use mirasa_domain::sales::{DayRange, SalesSums};

use crate::catalogue::Snapshot;
use crate::repository::reports::daily_sales::{ParcelCounts, SalesKind, SalesRow, VisitStep};
use crate::{AppError, Shop};

/// A year. The sums of more products than a shop has are still added up in time.
pub const MAX_OVERVIEW_DAYS: i64 = 366;
const DEFAULT_DAYS: i64 = 30;
/// The lengths of the lists of best and worst products.
const LISTED_PRODUCTS: usize = 10;
/// Days whose sums the worker stores in one run.
const DAYS_PER_RUN: usize = 20;

/// The figures of some days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub sums: SalesSums,
    pub parcels: ParcelCounts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductSales {
    pub product: ProductId,
    pub name: String,
    pub sums: SalesSums,
}

/// From the visit to the payment. The first three are counts of requests, the others of orders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Funnel {
    pub visits: i64,
    pub products: i64,
    pub carts: i64,
    pub checkouts: i64,
    pub payments: i64,
}

#[derive(Debug)]
pub struct Overview {
    pub days: DayRange,
    pub figures: Figures,
    pub previous: Figures,
    /// Each day of the range, with and without orders.
    pub by_day: Vec<(i64, SalesSums)>,
    /// Each day of the range before.
    pub previous_by_day: Vec<(i64, SalesSums)>,
    pub best: Vec<ProductSales>,
    /// Products that are on sale and not among the best, the least sold first.
    pub worst: Vec<ProductSales>,
    /// A product counts in each of its categories. The largest first.
    pub by_category: Vec<(String, SalesSums)>,
    /// The largest first.
    pub by_state: Vec<(String, SalesSums)>,
    /// By weekday, 1 is Monday, and hour.
    pub by_hour: Vec<((u8, u8), SalesSums)>,
    /// Of the day before, if the range is one day.
    pub previous_by_hour: Vec<((u8, u8), SalesSums)>,
    /// Where the previous figures end, if that is not the end of a day.
    pub compared_until_ms: Option<i64>,
    pub funnel: Funnel,
}

/// What the queries return.
struct Counted {
    rows: Vec<SalesRow>,
    previous: Vec<SalesRow>,
    /// If not all of `previous` is compared.
    compared: Option<SalesSums>,
    parcels: ParcelCounts,
    previous_parcels: ParcelCounts,
    placed: i64,
    visits: Vec<(VisitStep, i64)>,
}

/// 1 is Monday.
pub fn weekday(day: i64) -> u8 {
    // 1 January 1970 was a Thursday.
    u8::try_from((day + 3).rem_euclid(7) + 1).unwrap_or(1)
}

fn parse_day(field: &'static str, text: &str) -> Result<Option<i64>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    ist::parse_day(text).map(Some).ok_or_else(|| {
        AppError::invalid(format!("{field} must be a date such as 2026-11-15")).with_field(field)
    })
}

impl Shop {
    /// Days in India, such as `2026-11-15`. Empty texts are for the last 30 days.
    pub fn overview_days(&self, from: &str, to: &str) -> Result<DayRange, AppError> {
        let (from, to) = (parse_day("from", from)?, parse_day("to", to)?);
        let last = to.unwrap_or_else(|| ist::day(self.now_ms()));
        let first = from.unwrap_or(DayRange::until(last, DEFAULT_DAYS).first);
        let days = DayRange { first, last };
        if days.is_empty() {
            return Err(AppError::invalid("from must not be after to").with_field("from"));
        }
        if days.len() > MAX_OVERVIEW_DAYS {
            let message = format!("from and to may be at most {MAX_OVERVIEW_DAYS} days apart");
            return Err(AppError::invalid(message).with_field("from"));
        }
        Ok(days)
    }

    pub async fn overview(&self, days: DayRange) -> Result<Overview, AppError> {
        let now_ms = self.now_ms();
        let today = ist::day(now_ms);
        let before = days.previous();
        let compared_ms = days.compared_span_ms(now_ms);
        let compared_until_ms = days.is_today(now_ms).then_some(compared_ms.end);
        let counted: Counted = self
            .db
            .replica_read(async move |db| {
                Ok::<_, AppError>(Counted {
                    rows: db.sales(days).await?,
                    // One day is shown by its hours.
                    previous: if days.len() == 1 {
                        db.sales(before).await?
                    } else {
                        db.sales_totals(before).await?
                    },
                    compared: match compared_until_ms {
                        Some(_) => Some(db.sales_sums(compared_ms.clone()).await?),
                        None => None,
                    },
                    parcels: db.delayed_parcels(days.span_ms(), today).await?,
                    previous_parcels: db.delayed_parcels(compared_ms, today).await?,
                    placed: db.count_placed_orders(days).await?,
                    visits: db.visits(days).await?,
                })
            })
            .await?;
        let snapshot = self.catalogue.snapshot();
        let mut overview = summarise(days, &counted, &snapshot);
        overview.compared_until_ms = compared_until_ms;
        self.name_products(&mut overview.best, &snapshot).await?;
        Ok(overview)
    }

    /// Deleted products are not in the snapshot.
    async fn name_products(
        &self,
        products: &mut [ProductSales],
        snapshot: &Snapshot,
    ) -> Result<(), AppError> {
        let missing: Vec<_> = products
            .iter()
            .map(|one| one.product.clone())
            .filter(|id| snapshot.find(id).is_none())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: HashMap<_, _> = self
            .db
            .replica_read(async move |db| Ok::<_, AppError>(db.product_names(&missing).await?))
            .await?
            .into_iter()
            .collect();
        for one in products {
            if let Some(name) = names.get(&one.product) {
                one.name.clone_from(name);
            }
        }
        Ok(())
    }

    /// Stores the sums of changed days, except of today, whose orders are counted at each read. Returns how many days.
    pub async fn store_daily_sales(&self) -> Result<usize, AppError> {
        let today = ist::day(self.now_ms());
        for stored in 0..DAYS_PER_RUN {
            // Each day in a transaction of its own, so that no other write waits for more than one.
            let write = self.db.write(async move |tx| {
                Ok::<_, AppError>(tx.store_sales_of_changed_day(today).await?)
            });
            if !write.await? {
                return Ok(stored);
            }
        }
        Ok(DAYS_PER_RUN)
    }
}

fn summarise(days: DayRange, counted: &Counted, snapshot: &Snapshot) -> Overview {
    let by_day = each_day(days, &counted.rows);
    let previous_by_day = each_day(days.previous(), &counted.previous);
    let sums = total(&by_day);
    let mut products = BTreeMap::<&str, SalesSums>::new();
    let mut states = BTreeMap::<&str, SalesSums>::new();
    for row in &counted.rows {
        match row.kind {
            SalesKind::Total | SalesKind::Hour => {}
            SalesKind::Product => *products.entry(&row.key).or_default() += row.sums,
            SalesKind::State => *states.entry(&row.key).or_default() += row.sums,
        }
    }
    let (best, worst) = best_and_worst(&products, snapshot);
    let count = |step| {
        let found = counted.visits.iter().find(|(of, _)| *of == step);
        found.map_or(0, |(_, count)| *count)
    };
    Overview {
        days,
        figures: Figures {
            sums,
            parcels: counted.parcels,
        },
        previous: Figures {
            sums: counted.compared.unwrap_or_else(|| total(&previous_by_day)),
            parcels: counted.previous_parcels,
        },
        by_day,
        previous_by_day,
        best,
        worst,
        by_category: by_category(&products, snapshot),
        by_state: largest_first(states.into_iter().map(|(key, sums)| (key.to_owned(), sums))),
        by_hour: by_hour(&counted.rows),
        previous_by_hour: by_hour(&counted.previous),
        compared_until_ms: None,
        funnel: Funnel {
            visits: count(VisitStep::Visit),
            products: count(VisitStep::Product),
            carts: count(VisitStep::Cart),
            checkouts: counted.placed,
            payments: sums.orders,
        },
    }
}

fn each_day(days: DayRange, rows: &[SalesRow]) -> Vec<(i64, SalesSums)> {
    let totals: HashMap<_, _> = rows
        .iter()
        .filter(|row| row.kind == SalesKind::Total)
        .map(|row| (row.day, row.sums))
        .collect();
    (days.first..=days.last)
        .map(|day| (day, totals.get(&day).copied().unwrap_or_default()))
        .collect()
}

fn by_hour(rows: &[SalesRow]) -> Vec<((u8, u8), SalesSums)> {
    let mut hours = BTreeMap::<(u8, u8), SalesSums>::new();
    for row in rows.iter().filter(|row| row.kind == SalesKind::Hour) {
        let hour = row.key.parse().unwrap_or_default();
        *hours.entry((weekday(row.day), hour)).or_default() += row.sums;
    }
    hours.into_iter().collect()
}

fn total(days: &[(i64, SalesSums)]) -> SalesSums {
    let mut total = SalesSums::default();
    for (_, sums) in days {
        total += *sums;
    }
    total
}

fn largest_first(groups: impl Iterator<Item = (String, SalesSums)>) -> Vec<(String, SalesSums)> {
    let mut groups: Vec<_> = groups.collect();
    groups.sort_by(|(a_name, a), (b_name, b)| {
        (b.sales, b.packs())
            .cmp(&(a.sales, a.packs()))
            .then_with(|| a_name.cmp(b_name))
    });
    groups
}

fn best_and_worst(
    products: &BTreeMap<&str, SalesSums>,
    snapshot: &Snapshot,
) -> (Vec<ProductSales>, Vec<ProductSales>) {
    let named = |id: ProductId, sums| {
        let name = snapshot
            .find(&id)
            .map_or_else(|| id.0.clone(), |found| found.details.product_name.clone());
        ProductSales {
            product: id,
            name,
            sums,
        }
    };
    let sold = products.iter().map(|(id, sums)| ((*id).to_owned(), *sums));
    let mut best = largest_first(sold);
    best.truncate(LISTED_PRODUCTS);
    let is_best = |id: &ProductId| best.iter().any(|(best, _)| *best == id.0);
    let mut worst: Vec<_> = snapshot
        .visible()
        .filter(|product| !is_best(&product.id))
        .map(|product| {
            let sums = products.get(product.id.0.as_str());
            named(product.id.clone(), sums.copied().unwrap_or_default())
        })
        .collect();
    worst.sort_by(|a, b| {
        let key = |one: &ProductSales| (one.sums.sales, one.sums.packs());
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    worst.truncate(LISTED_PRODUCTS);
    let best = best
        .into_iter()
        .map(|(id, sums)| named(ProductId(id), sums))
        .collect();
    (best, worst)
}

/// Without the number of orders: an order with two products of a category would count twice.
fn by_category(
    products: &BTreeMap<&str, SalesSums>,
    snapshot: &Snapshot,
) -> Vec<(String, SalesSums)> {
    let mut categories = BTreeMap::<String, SalesSums>::new();
    for (id, sums) in products {
        let Some(product) = snapshot.find(&ProductId((*id).to_owned())) else {
            continue;
        };
        for category in &product.details.category {
            *categories.entry(category.clone()).or_default() += SalesSums {
                orders: 0,
                repeat_orders: 0,
                refunds: Paise::ZERO,
                ..*sums
            };
        }
    }
    largest_first(categories.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekdays_begin_on_monday() {
        // 15 November 2026 is a Sunday.
        let sunday = ist::parse_day("2026-11-15").unwrap();
        assert_eq!(weekday(sunday), 7);
        assert_eq!(weekday(sunday + 1), 1);
        assert_eq!(weekday(-1), 3);
    }
}
