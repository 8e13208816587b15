//! Sums by day, against a recount of the same orders in this file.

use std::collections::{BTreeMap, BTreeSet};

use mirasa_app::repository::Database;
use mirasa_app::repository::reports::daily_sales::{SalesKind, SalesRow};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderDiscount, OrderStatus};
use mirasa_domain::refund::RefundStatus;
use mirasa_domain::sales::{DayRange, SalesSums};
use mirasa_domain::user::UserId;

use crate::engines::{TestDatabase, add_user, execute_sql, for_each_engine, read, write};
use crate::leases::refund;
use crate::orders::{line, order, place};

/// 1 March 2028, 00:00 in India: the day before was 29 February.
pub const MARCH: i64 = 1_835_461_800_000;
/// 1 April 2028, 00:00 in India.
pub const APRIL: i64 = MARCH + 31 * DAY;
pub const DAY: i64 = 86_400_000;
pub const HOUR: i64 = 3_600_000;

/// What the test knows about an order.
pub struct Known {
    pub order: Order,
    pub is_paid: bool,
    pub is_cancelled: bool,
    pub is_deleted: bool,
    /// Refunds that did not fail, of the payment that paid the order.
    pub refunded: i64,
}

impl Known {
    pub fn is_sale(&self) -> bool {
        self.is_paid
            && !self.is_cancelled
            && !self.is_deleted
            && self.order.replaces_order_id.is_none()
    }

    pub fn day(&self) -> i64 {
        (self.order.created_at_ms + 5 * HOUR + HOUR / 2) / DAY
    }

    pub fn hour(&self) -> i64 {
        (self.order.created_at_ms + 5 * HOUR + HOUR / 2) / HOUR % 24
    }
}

pub type Sums = BTreeMap<(SalesKind, i64, String), SalesSums>;

pub fn recount(known: &[Known]) -> Sums {
    let mut sums = Sums::new();
    for one in known.iter().filter(|one| one.is_sale()) {
        let is_earlier = |other: &&Known| {
            other.is_sale()
                && other.order.user == one.order.user
                && (other.order.created_at_ms, &other.order.id)
                    < (one.order.created_at_ms, &one.order.id)
        };
        let repeat_orders = i64::from(known.iter().find(is_earlier).is_some());
        let mut of_order = SalesSums {
            orders: 1,
            repeat_orders,
            refunds: Paise::new(one.refunded),
            ..SalesSums::default()
        };
        for line in &one.order.lines {
            let of_line = SalesSums {
                orders: 1,
                repeat_orders,
                packs_50g: i64::from(line.packs.of_50g),
                packs_100g: i64::from(line.packs.of_100g),
                sales: line.total,
                discounts: line.discount,
                refunds: Paise::ZERO,
            };
            *sums
                .entry((SalesKind::Product, one.day(), line.product.0.clone()))
                .or_default() += of_line;
            of_order.packs_50g += of_line.packs_50g;
            of_order.packs_100g += of_line.packs_100g;
            of_order.sales = of_order.sales + line.total;
            of_order.discounts = of_order.discounts + line.discount;
        }
        for (kind, key) in [
            (SalesKind::Total, String::new()),
            (SalesKind::State, one.order.address.state.clone()),
            (SalesKind::Hour, one.hour().to_string()),
        ] {
            *sums.entry((kind, one.day(), key)).or_default() += of_order;
        }
    }
    sums
}

/// Rows of products can be for several days, so they are compared without the day.
fn without_days_of_products(
    sums: impl Iterator<Item = ((SalesKind, i64, String), SalesSums)>,
) -> Sums {
    let mut merged = Sums::new();
    for ((kind, day, key), one) in sums {
        let day = if kind == SalesKind::Product { 0 } else { day };
        *merged.entry((kind, day, key)).or_default() += one;
    }
    merged
}

fn as_sums(rows: Vec<SalesRow>) -> Sums {
    without_days_of_products(
        rows.into_iter()
            .map(|row| ((row.kind, row.day, row.key), row.sums)),
    )
}

/// Two weeks before March to two weeks after it.
pub fn days() -> DayRange {
    let first = (MARCH + 5 * HOUR + HOUR / 2) / DAY;
    DayRange {
        first: first - 14,
        last: first + 45,
    }
}

async fn assert_sums(shop: &TestDatabase, known: &[Known], when: &str) {
    let expected = recount(known);
    let found = read!(shop.db, db => db.sales(days()).await?);
    assert_eq!(
        as_sums(found),
        without_days_of_products(expected.clone().into_iter()),
        "{when}"
    );
    let totals = read!(shop.db, db => db.sales_totals(days()).await?);
    let expected: Sums = expected
        .into_iter()
        .filter(|((kind, ..), _)| *kind == SalesKind::Total)
        .collect();
    assert_eq!(as_sums(totals), expected, "{when}");
    let wrong = read!(shop.db, db => db.wrong_sales_days().await?);
    assert!(wrong.is_empty(), "{when}: {wrong:?}");
}

async fn store_all(db: &Database) -> usize {
    let mut stored = 0;
    while write!(db, tx => tx.store_sales_of_changed_day(i64::MAX).await?) {
        stored += 1;
    }
    stored
}

/// Times around midnight and the ends of months, and some between them.
fn times() -> Vec<i64> {
    let mut times = Vec::new();
    for midnight in [MARCH, APRIL, MARCH + DAY, MARCH - DAY] {
        times.extend([midnight - 1, midnight, midnight + 1, midnight + 19 * HOUR]);
    }
    times.extend((0..14).map(|number| MARCH + number * 3 * DAY + number * HOUR));
    times
}

async fn add_discount(shop: &TestDatabase) {
    execute_sql(
        shop,
        "insert into discounts (id, code, kind, value, categories, products, min_total, first_order_only, once_per_customer, active, created_at, updated_at)
         values ('d', 'DIWALI', 'percent', 1000, '[]', '[]', 0, false, false, true, 1, 1)",
    )
    .await;
}

pub async fn place_orders(shop: &TestDatabase) -> Vec<Known> {
    add_discount(shop).await;
    let mut users = Vec::new();
    for name in ["asha", "ravi", "meera", "imran"] {
        users.push(add_user(&shop.db, name).await.id);
    }
    let mut known = Vec::new();
    for (number, at_ms) in (0_u32..).zip(times()) {
        let mut lines = vec![line("goda", 1 + number % 3, number % 2)];
        if number % 3 == 0 {
            lines.push(line("chai", number % 4, 2));
        }
        let user: &UserId = &users[number as usize * 7 % users.len()];
        let mut placed = order(&format!("o{number:02}"), user, at_ms, lines);
        if number % 5 == 1 {
            // One paisa, so that rounding would be seen.
            for line in &mut placed.lines {
                line.discount = Paise::new(333);
                line.total = line.total - line.discount;
            }
            placed.state.total = placed.lines.iter().map(|line| line.total).sum();
            placed.discount = Some(OrderDiscount {
                discount_id: "d".into(),
                code: "DIWALI".into(),
                amount: placed.lines.iter().map(|line| line.discount).sum(),
            });
        }
        if number % 4 == 2 {
            placed.address.state = "Kerala".into();
        }
        if number % 11 == 7 {
            placed.replaces_order_id = Some("o01".into());
        }
        place(&shop.db, &placed).await;
        known.push(Known {
            order: placed,
            is_paid: false,
            is_cancelled: false,
            is_deleted: false,
            refunded: 0,
        });
    }
    known
}

pub async fn pay(db: &Database, order: &Order) {
    let (id, state, attempt) = (
        order.id.clone(),
        order.state.completed(),
        order.merchant_order_id.clone(),
    );
    write!(db, tx => tx.save_order_state(&id, state, None, Some(&attempt), 5).await?);
}

async fn set_status(db: &Database, order: &Order, status: OrderStatus) {
    let id = order.id.clone();
    write!(db, tx => tx.set_order_status(&id, status, 6).await?);
}

pub async fn add_refund(db: &Database, number: &str, order: &Order, attempt: &str, amount: i64) {
    let mut one = refund(number, attempt);
    one.order_id.clone_from(&order.id);
    one.amount = Paise::new(amount);
    write!(db, tx => tx.insert_refund(&one).await?);
}

#[tokio::test]
async fn sums_are_those_of_the_orders_after_every_change() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        let db = &shop.db;
        assert_sums(&shop, &known, "nothing is paid").await;
        assert_eq!(store_all(db).await, 0, "an order that is not paid changes nothing");

        for one in known.iter_mut().skip(2) {
            pay(db, &one.order).await;
            one.is_paid = true;
        }
        assert_sums(&shop, &known, "paid, not stored").await;
        let days: BTreeSet<i64> = known.iter().skip(2).map(Known::day).collect();
        assert_eq!(store_all(db).await, days.len());
        assert_sums(&shop, &known, "paid and stored").await;

        for (number, one) in known.iter_mut().enumerate() {
            if number % 6 == 3 {
                set_status(db, &one.order, OrderStatus::Cancelled).await;
                one.is_cancelled = true;
            }
            if number % 6 == 4 {
                let id = one.order.id.clone();
                write!(db, tx => tx.delete_order(&id, 7).await?);
                one.is_deleted = true;
            }
            if one.is_paid && number % 3 == 0 {
                let of = one.order.merchant_order_id.clone();
                add_refund(db, &format!("R{number}"), &one.order, of.as_str(), 1_001).await;
                one.refunded += 1_001;
            }
        }
        assert_sums(&shop, &known, "cancelled, deleted and refunded").await;
        store_all(db).await;
        assert_sums(&shop, &known, "cancelled, deleted, refunded and stored").await;

        // A failed refund, a repeat of it, and one of a second payment.
        for one in known.iter_mut().filter(|one| one.refunded > 0).take(4) {
            let id = format!("R{}", one.order.id.as_str().trim_start_matches('o').trim_start_matches('0'));
            write!(db, tx => tx.update_refund(&id.as_str().into(), RefundStatus::Failed, Some("refused"), 0, 8).await?);
            one.refunded -= 1_001;
            add_refund(db, &format!("again-{}", one.order.id), &one.order, one.order.merchant_order_id.as_str(), 999).await;
            one.refunded += 999;
            add_refund(db, &format!("second-{}", one.order.id), &one.order, "M-second", 5_000).await;
        }
        for one in known.iter_mut().filter(|one| one.is_deleted).take(2) {
            let id = one.order.id.clone();
            write!(db, tx => tx.restore_order(&id, 9).await?);
            one.is_deleted = false;
        }
        for one in known.iter_mut().filter(|one| one.is_cancelled).take(2) {
            set_status(db, &one.order, OrderStatus::Confirmed).await;
            one.is_cancelled = false;
        }
        // The first orders of two customers make all others repeat orders.
        for one in known.iter_mut().take(2) {
            pay(db, &one.order).await;
            one.is_paid = true;
        }
        assert_sums(&shop, &known, "taken back").await;
        store_all(db).await;
        assert_sums(&shop, &known, "taken back and stored").await;
        set_status(db, &known[5].order, OrderStatus::Shipped).await;
        assert_eq!(store_all(db).await, 0, "a sale that is shipped is still the same sale");
    })
    .await;
}

#[tokio::test]
async fn wrong_sum_is_found() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        for one in &mut known {
            pay(&shop.db, &one.order).await;
            one.is_paid = true;
        }
        store_all(&shop.db).await;
        let day = known[0].day();
        execute_sql(
            &shop,
            &format!(
                "update daily_sales set refunds = refunds + 1 where kind = 'state' and day = {day}"
            ),
        )
        .await;
        assert_eq!(read!(shop.db, db => db.wrong_sales_days().await?), [day]);
        execute_sql(
            &shop,
            &format!(
                "update daily_sales set products = replace(products, 'goda', 'other') where kind = 'total' and day = {}",
                day + 1
            ),
        )
        .await;
        assert_eq!(
            read!(shop.db, db => db.wrong_sales_days().await?),
            [day, day + 1]
        );
        // A rebuild: mark the days.
        execute_sql(
            &shop,
            &format!(
                "insert into sales_changes (day, txid) values ({day}, 0), ({}, 0)",
                day + 1
            ),
        )
        .await;
        assert_sums(&shop, &known, "marked").await;
        assert_eq!(store_all(&shop.db).await, 2);
        assert_sums(&shop, &known, "stored again").await;
    })
    .await;
}

/// An older version of the server, or a person, writes to the same database.
#[tokio::test]
async fn change_by_another_program_is_counted() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        execute_sql(&shop, "update orders set payment_status = 'completed', order_status = 'confirmed', paid_by = merchant_order_id").await;
        for one in &mut known {
            one.is_paid = true;
        }
        assert_sums(&shop, &known, "paid by a statement").await;
        store_all(&shop.db).await;
        execute_sql(&shop, &format!("update orders set created_at = created_at + {DAY} where id = 'o00'")).await;
        known[0].order.created_at_ms += DAY;
        assert_sums(&shop, &known, "moved to another day").await;
        store_all(&shop.db).await;
        assert_sums(&shop, &known, "moved and stored").await;
    })
    .await;
}

#[tokio::test]
async fn sums_are_right_after_concurrent_changes() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        let mut tasks = tokio::task::JoinSet::new();
        for one in &known {
            let (db, order) = (shop.db.clone(), one.order.clone());
            tasks.spawn(async move {
                pay(&db, &order).await;
                add_refund(
                    &db,
                    &format!("R-{}", order.id),
                    &order,
                    order.merchant_order_id.as_str(),
                    77,
                )
                .await;
            });
        }
        // Two instances store the sums of the same days at the same time.
        for _ in 0..2 {
            let db = shop.db.clone();
            tasks.spawn(async move {
                for _ in 0..20 {
                    store_all(&db).await;
                    tokio::task::yield_now().await;
                }
            });
        }
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
        for one in &mut known {
            one.is_paid = true;
            one.refunded = 77;
        }
        assert_sums(&shop, &known, "after the race").await;
        store_all(&shop.db).await;
        assert_sums(&shop, &known, "stored after the race").await;
    })
    .await;
}
