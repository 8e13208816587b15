//! What the figures of the overview lead to: orders, parcels, visits. Compared with a recount in the tests.

use mirasa_app::repository::orders::search::{OnlyOrders, OrderFilter, SalesFilter};
use mirasa_app::repository::reports::daily_sales::{SalesKind, VisitStep};
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use mirasa_domain::sales::{DayRange, SalesSums};

use crate::daily_sales::{
    APRIL, DAY, HOUR, Known, MARCH, add_refund, days, pay, place_orders, recount,
};
use crate::engines::{TestDatabase, execute_sql, for_each_engine, read, write};

/// The link of each figure finds as many orders as the figure counts.
#[tokio::test]
async fn filters_find_the_orders_of_each_figure() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        for (number, one) in known.iter_mut().enumerate().skip(1) {
            pay(&shop.db, &one.order).await;
            one.is_paid = true;
            if number % 5 == 0 {
                add_refund(
                    &shop.db,
                    &format!("R{number}"),
                    &one.order,
                    one.order.merchant_order_id.as_str(),
                    50,
                )
                .await;
                one.refunded = 50;
            }
        }
        let sums = recount(&known);
        let total = |kind: SalesKind, is_counted: &dyn Fn(i64, &str) -> bool| {
            let mut total = SalesSums::default();
            for ((of, day, key), one) in &sums {
                if *of == kind && is_counted(*day, key) {
                    total += *one;
                }
            }
            total
        };
        let all = total(SalesKind::Total, &|_, _| true);
        let sales = SalesFilter {
            only: Some(OnlyOrders::Sales),
            ..SalesFilter::default()
        };
        let only = |only| SalesFilter {
            only: Some(only),
            ..SalesFilter::default()
        };
        let refunded = known
            .iter()
            .filter(|one| one.is_sale() && one.refunded > 0)
            .count() as i64;
        let discounted = known
            .iter()
            .filter(|one| one.is_sale() && one.order.discount.is_some())
            .count() as i64;
        // 1 March 2028 is a Wednesday.
        let wednesday = (MARCH + 5 * HOUR + HOUR / 2) / DAY;
        let cases = [
            (sales.clone(), all.orders),
            (only(OnlyOrders::Repeat), all.repeat_orders),
            (only(OnlyOrders::Refunded), refunded),
            (only(OnlyOrders::Discounted), discounted),
            (only(OnlyOrders::Late), 0),
            (only(OnlyOrders::Returned), 0),
            (
                SalesFilter {
                    product_id: "chai".into(),
                    ..sales.clone()
                },
                total(SalesKind::Product, &|_, key| key == "chai").orders,
            ),
            (
                SalesFilter {
                    category: "Tea".into(),
                    category_products: vec!["chai".into(), "other".into()],
                    ..sales.clone()
                },
                total(SalesKind::Product, &|_, key| key == "chai").orders,
            ),
            (
                SalesFilter {
                    category: "None".into(),
                    ..sales.clone()
                },
                0,
            ),
            (
                SalesFilter {
                    state: "Kerala".into(),
                    ..sales.clone()
                },
                total(SalesKind::State, &|_, key| key == "Kerala").orders,
            ),
            (
                SalesFilter {
                    weekday: Some(3),
                    hour: Some(0),
                    ..sales.clone()
                },
                total(SalesKind::Hour, &|day, key| {
                    (day - wednesday) % 7 == 0 && key == "0"
                })
                .orders,
            ),
        ];
        for (sales, expected) in cases {
            let filter = OrderFilter {
                sales,
                ..OrderFilter::default()
            };
            let shown = format!("{filter:?}");
            let found = read!(shop.db, db => db.count_orders(&filter).await?);
            assert_eq!(found, expected, "{shown}");
        }
        assert!(all.repeat_orders > 0 && refunded > 0 && discounted > 0);
        let march = OrderFilter {
            sales,
            from_ms: Some(MARCH),
            to_ms: Some(APRIL - 1),
            ..OrderFilter::default()
        };
        let first = wednesday;
        let in_march = total(SalesKind::Total, &|day, _| {
            (first..first + 31).contains(&day)
        })
        .orders;
        assert_eq!(
            read!(shop.db, db => db.count_orders(&march).await?),
            in_march
        );
    })
    .await;
}

async fn add_parcel(
    shop: &TestDatabase,
    order: &str,
    status: &str,
    expected_at: i64,
    ended_at: Option<i64>,
) {
    let ended = ended_at.map_or("null".to_owned(), |at| at.to_string());
    execute_sql(
        shop,
        &format!(
            "insert into shipments (id, order_id, reference, partner, rule, status, status_at, step, attempts, courier, tracking_number,
             tracking_url, weight_grams, expected_at, ended_at, created_by, created_at, updated_at, due_at, leased_until)
             values ('s-{order}-{status}', '{order}', 'ref-{order}-{status}', 'manual', 'cheapest', '{status}', 1, 'done', 0, '', '', '', 0, {expected_at}, {ended},
             'admin', {at}, 1, 1, 0)",
            at = APRIL
        ),
    )
    .await;
}

#[tokio::test]
async fn late_and_returned_parcels_are_counted_by_day() {
    for_each_engine(|shop| async move {
        place_orders(&shop).await;
        let expected = MARCH + 10 * DAY;
        // Delivered in the last millisecond of the expected day, and in the first after it.
        add_parcel(
            &shop,
            "o00",
            "delivered",
            expected + HOUR,
            Some(expected + DAY - 1),
        )
        .await;
        add_parcel(
            &shop,
            "o01",
            "delivered",
            expected + HOUR,
            Some(expected + DAY),
        )
        .await;
        add_parcel(&shop, "o02", "in_transit", expected, None).await;
        add_parcel(&shop, "o03", "lost", expected, Some(expected)).await;
        add_parcel(&shop, "o04", "returned", expected, Some(expected + 5 * DAY)).await;
        add_parcel(&shop, "o05", "returning", expected, None).await;
        add_parcel(&shop, "o06", "cancelled", expected, None).await;
        let day = (expected + 5 * HOUR + HOUR / 2) / DAY;
        for (today, late) in [(day, 1), (day + 1, 3)] {
            let found = read!(shop.db, db => db.delayed_parcels(days().span_ms(), today).await?);
            assert_eq!((found.late, found.returned), (late, 2));
            for (only, count) in [(OnlyOrders::Late, late), (OnlyOrders::Returned, 2)] {
                let sales = SalesFilter {
                    only: Some(only),
                    today,
                    ..SalesFilter::default()
                };
                let filter = OrderFilter {
                    sales,
                    ..OrderFilter::default()
                };
                assert_eq!(read!(shop.db, db => db.count_orders(&filter).await?), count);
            }
        }
        let before = DayRange::until(days().first - 1, 10);
        let found = read!(shop.db, db => db.delayed_parcels(before.span_ms(), day + 1).await?);
        assert_eq!((found.late, found.returned), (0, 0));
    })
    .await;
}

#[tokio::test]
async fn visits_and_placed_orders_are_counted() {
    for_each_engine(|shop| async move {
        let known = place_orders(&shop).await;
        let count = |days: DayRange| {
            let is_counted = |one: &&Known| {
                (days.first..=days.last).contains(&one.day())
                    && one.order.replaces_order_id.is_none()
            };
            known.iter().filter(is_counted).count() as i64
        };
        let one_day = DayRange::until(known[1].day(), 1);
        for range in [days(), one_day] {
            assert_eq!(
                read!(shop.db, db => db.count_placed_orders(range).await?),
                count(range)
            );
        }
        write!(shop.db, tx => {
            tx.add_visits(10, VisitStep::Visit, 5).await?;
            tx.add_visits(10, VisitStep::Visit, 2).await?;
            tx.add_visits(11, VisitStep::Visit, 1).await?;
            tx.add_visits(12, VisitStep::Cart, 4).await?;
        });
        let found = read!(shop.db, db => db.visits(DayRange { first: 10, last: 11 }).await?);
        assert_eq!(
            found,
            [
                (VisitStep::Visit, 8),
                (VisitStep::Product, 0),
                (VisitStep::Cart, 0)
            ]
        );
        let names = read!(shop.db, db => db.product_names(&[ProductId("x".into())]).await?);
        assert!(names.is_empty());
    })
    .await;
}

#[tokio::test]
async fn part_of_a_day_is_counted() {
    for_each_engine(|shop| async move {
        let mut known = place_orders(&shop).await;
        for one in known.iter_mut().skip(1) {
            pay(&shop.db, &one.order).await;
            one.is_paid = true;
        }
        for until in [MARCH, MARCH + 1, MARCH + 2, MARCH + 19 * HOUR, MARCH + DAY] {
            let placed = known
                .iter()
                .filter(|one| one.is_sale() && (MARCH..until).contains(&one.order.created_at_ms));
            let totals: Vec<Paise> = placed.map(|one| one.order.state.total).collect();
            let found = read!(shop.db, db => db.sales_sums(MARCH..until).await?);
            assert_eq!(found.orders, totals.len() as i64, "until {until}");
            assert_eq!(found.sales, totals.into_iter().sum(), "until {until}");
        }
    })
    .await;
}
