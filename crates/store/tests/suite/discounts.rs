//! Discount codes: what is stored, and how uses are counted.

use std::sync::Arc;

use mirasa_app::repository::StoreError;
use mirasa_app::repository::cart::discounts::CountedOrders;
use mirasa_domain::discount::{Discount, DiscountCode, DiscountTerms, DiscountUses, Reduction};
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderDiscount, OrderStatus};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::engines::{
    TestDatabase, add_user, constraint, execute_sql, for_each_engine, read, write,
};
use crate::orders::{line, order, place};

fn discount(id: &str, code: &str, max_uses: Option<i64>) -> Discount {
    Discount {
        id: id.into(),
        code: DiscountCode::parse(code).unwrap(),
        terms: DiscountTerms {
            reduction: Reduction::Percent(1_250),
            categories: vec!["Chai \"strong\"".into()],
            products: vec![ProductId("goda".into())],
            min_total: Paise::new(49_950),
            first_order_only: true,
            once_per_customer: true,
            max_uses,
            starts_at_ms: Some(5),
            ends_at_ms: Some(9),
            is_active: true,
        },
        created_at_ms: 1,
        updated_at_ms: 2,
    }
}

fn discounted(id: &str, user: &UserId, at_ms: i64) -> Order {
    let mut one = line("goda", 1, 0);
    one.discount = Paise::new(550);
    one.total = one.total - one.discount;
    Order {
        discount: Some(OrderDiscount {
            discount_id: "d1".into(),
            code: "TEN-OFF".into(),
            amount: Paise::new(550),
        }),
        ..order(id, user, at_ms, vec![one])
    }
}

async fn uses(shop: &TestDatabase, user: &UserId, counted: CountedOrders) -> DiscountUses {
    let user = user.clone();
    let found = read!(shop.db, db => db.discount_with_uses(&"d1".into(), &user, counted).await?);
    found.unwrap().1
}

#[tokio::test]
async fn discount_is_read_as_it_was_stored() {
    for_each_engine(|shop| async move {
        let first = discount("d1", "TEN-OFF", Some(7));
        let mut second = discount("d2", "FIFTY", None);
        second.created_at_ms = 3;
        second.terms = DiscountTerms {
            reduction: Reduction::Amount(Paise::new(5_000)),
            starts_at_ms: None,
            ends_at_ms: None,
            is_active: false,
            ..second.terms
        };
        let (one, two) = (first.clone(), second.clone());
        write!(shop.db, tx => {
            tx.insert_discount(&one).await?;
            tx.insert_discount(&two).await?
        });
        let by_code = DiscountCode::parse("ten-off").unwrap();
        let found = read!(shop.db, db => db.discount_by_code(&by_code).await?);
        assert_eq!(found.as_ref(), Some(&first));
        assert_eq!(
            read!(shop.db, db => db.discount(&"d2".into()).await?),
            Some(second.clone())
        );
        assert_eq!(read!(shop.db, db => db.discount(&"d3".into()).await?), None);
        let listed = read!(shop.db, db => db.discount_reports().await?);
        let listed: Vec<_> = listed.into_iter().map(|report| report.discount).collect();
        assert_eq!(listed, [second.clone(), first.clone()]);

        let changed = first.terms.clone();
        write!(shop.db, tx => tx.update_discount(&"d2".into(), &changed, 8).await?);
        let expected = Discount {
            terms: first.terms.clone(),
            updated_at_ms: 8,
            ..second
        };
        assert_eq!(
            read!(shop.db, db => db.discount(&"d2".into()).await?),
            Some(expected)
        );
        let twice = discount("d3", "TEN-OFF", None);
        let inserted: Result<(), StoreError> = shop
            .db
            .write(async move |tx| tx.insert_discount(&twice).await)
            .await;
        assert!(constraint(inserted).contains("code"));
    })
    .await;
}

#[tokio::test]
async fn uses_follow_the_states_of_orders() {
    for_each_engine(|shop| async move {
        let one = discount("d1", "TEN-OFF", Some(2));
        write!(shop.db, tx => tx.insert_discount(&one).await?);
        let (asha, ravi) = (
            add_user(&shop.db, "asha").await.id,
            add_user(&shop.db, "ravi").await.id,
        );
        let none = DiscountUses::default();
        assert_eq!(uses(&shop, &asha, CountedOrders::All).await, none);
        let placed = discounted("o1", &asha, 1);
        place(&shop.db, &placed).await;
        let stored = read!(shop.db, db => db.order(&"o1".into()).await?).unwrap();
        assert_eq!(
            (&stored.discount, &stored.lines),
            (&placed.discount, &placed.lines)
        );

        let held = DiscountUses {
            by_all: 1,
            by_customer: 1,
            customer_has_ordered: true,
        };
        assert_eq!(uses(&shop, &asha, CountedOrders::All).await, held);
        assert_eq!(
            uses(&shop, &asha, CountedOrders::WithoutOwnPending).await,
            none,
            "a checkout replaces it"
        );
        let by_others = DiscountUses { by_all: 1, ..none };
        assert_eq!(
            uses(&shop, &ravi, CountedOrders::WithoutOwnPending).await,
            by_others
        );

        let failed = placed.state.failed(EndReason::Expired);
        write!(shop.db, tx => tx.save_order_state(&"o1".into(), failed, None, None, 2).await?);
        assert_eq!(
            uses(&shop, &asha, CountedOrders::All).await,
            none,
            "released"
        );
        let paid = failed.completed();
        write!(shop.db, tx => tx.save_order_state(&"o1".into(), paid, None, Some(&"M-o1".into()), 3).await?);
        assert_eq!(
            uses(&shop, &asha, CountedOrders::WithoutOwnPending).await,
            held,
            "used"
        );
        let report = read!(shop.db, db => db.discount_report(&"d1".into()).await?).unwrap();
        assert_eq!((report.uses_paid, report.uses_held), (1, 0));
        assert_eq!((report.turnover.get(), report.cost.get()), (6_000, 550));
        assert!(write!(shop.db, tx => tx.set_order_status(&"o1".into(), OrderStatus::Cancelled, 4).await?));
        assert_eq!(
            uses(&shop, &asha, CountedOrders::All).await,
            none,
            "cancelled"
        );
        let report = read!(shop.db, db => db.discount_report(&"d1".into()).await?).unwrap();
        assert_eq!(
            (report.uses(), report.turnover, report.cost),
            (0, Paise::ZERO, Paise::ZERO)
        );
    })
    .await;
}

/// As a checkout does it: lock, count, and add an order if the limit allows it.
#[tokio::test]
async fn lock_gives_the_last_uses_once() {
    for_each_engine(|shop| async move {
        let one = discount("d1", "TEN-OFF", Some(3));
        write!(shop.db, tx => tx.insert_discount(&one).await?);
        let mut users = Vec::new();
        for number in 0..50 {
            users.push(add_user(&shop.db, &format!("user{number}")).await.id);
        }
        let db = Arc::new(shop.db);
        let attempts = users.into_iter().enumerate().map(|(number, user)| {
            let db = db.clone();
            tokio::spawn(async move {
                db.write(async move |tx| {
                    tx.lock_user(&user).await?;
                    tx.lock_discount_for_use(&"d1".into()).await?;
                    let counted = CountedOrders::WithoutOwnPending;
                    let (discount, uses) = tx
                        .discount_with_uses(&"d1".into(), &user, counted)
                        .await?
                        .unwrap();
                    if discount.terms.check_uses(uses).is_err() {
                        return Ok(false);
                    }
                    tx.insert_order(&discounted(&format!("o{number}"), &user, 1))
                        .await?;
                    Ok::<_, StoreError>(true)
                })
                .await
                .unwrap()
            })
        });
        let mut given = 0;
        for attempt in futures::future::join_all(attempts).await {
            given += usize::from(attempt.unwrap());
        }
        assert_eq!(given, 3);
        assert!(read!(db, db => db.overused_discounts().await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn consistency_check_finds_wrong_discounts() {
    for_each_engine(|shop| async move {
        let one = discount("d1", "TEN-OFF", Some(1));
        write!(shop.db, tx => tx.insert_discount(&one).await?);
        let asha = add_user(&shop.db, "asha").await.id;
        place(&shop.db, &discounted("o1", &asha, 1)).await;
        let wrong = async || read!(shop.db, db => db.orders_with_wrong_discount().await?);
        let overused = async || read!(shop.db, db => db.overused_discounts().await?);
        assert_eq!(
            (wrong().await, overused().await),
            (Vec::<String>::new(), Vec::<String>::new())
        );
        for (damage, repair) in [
            (
                "update orders set total = total + 1",
                "update orders set total = total - 1",
            ),
            (
                "update orders set discount_amount = 549",
                "update orders set discount_amount = 550",
            ),
            (
                "update order_lines set line_total = line_total - 1",
                "update order_lines set line_total = line_total + 1",
            ),
            (
                "update orders set discount_code = null",
                "update orders set discount_code = 'TEN-OFF'",
            ),
        ] {
            execute_sql(&shop, damage).await;
            assert_eq!(wrong().await, ["o1"], "{damage}");
            execute_sql(&shop, repair).await;
            assert!(wrong().await.is_empty(), "{repair}");
        }
        let ravi = add_user(&shop.db, "ravi").await.id;
        place(&shop.db, &discounted("o2", &ravi, 1)).await;
        assert_eq!(overused().await, ["TEN-OFF"]);
    })
    .await;
}
