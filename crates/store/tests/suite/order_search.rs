//! Order search: all filters, pages, and parts of ids.

use mirasa_app::repository::Database;
use mirasa_app::repository::orders::search::{OrderCursor, OrderFilter};
use mirasa_domain::order::{Order, OrderStatus};

use crate::engines::{add_user, for_each_engine, read, write};
use crate::orders::{line, order, place};

#[tokio::test]
async fn order_search_applies_every_filter() {
    for_each_engine(|shop| async move {
        let (asha, ravi) = (
            add_user(&shop.db, "asha").await.id,
            add_user(&shop.db, "ravi").await.id,
        );
        for number in 1..=5 {
            let user = if number % 2 == 0 { &ravi } else { &asha };
            place(
                &shop.db,
                &order(
                    &format!("id-{number}-abcdef{number}"),
                    user,
                    number * 100,
                    vec![line("goda", 1, 0)],
                ),
            )
            .await;
        }
        write!(shop.db, tx => tx.set_order_status(&"id-3-abcdef3".into(), OrderStatus::Shipped, 1).await?);
        let filter = |change: fn(&mut OrderFilter)| {
            let mut filter = OrderFilter::default();
            change(&mut filter);
            filter
        };
        for (filter, found) in [
            (filter(|_| {}), vec![5, 4, 3, 2, 1]),
            (filter(|f| f.status = Some(OrderStatus::Shipped)), vec![3]),
            (filter(|f| f.order_id = "ABCDEF4".into()), vec![4]),
            (filter(|f| f.order_id = "%".into()), vec![]),
            (filter(|f| f.order_id = "id_2".into()), vec![]),
            (filter(|f| f.order_id = "\\".into()), vec![]),
            (filter(|f| f.user_id = "user-ravi".into()), vec![4, 2]),
            (filter(|f| f.user_id = "user-unknown".into()), vec![]),
            (filter(|f| f.from_ms = Some(200)), vec![5, 4, 3, 2]),
            (filter(|f| f.to_ms = Some(200)), vec![2, 1]),
            (
                filter(|f| {
                    f.from_ms = Some(200);
                    f.to_ms = Some(400);
                    f.user_id = "asha".into()
                }),
                vec![3],
            ),
        ] {
            let copy = filter.clone();
            let (orders, total) = read!(shop.db, db => {
                let total = db.count_orders(&copy).await?;
                (db.orders_page(&copy, total, 0, 10).await?, total)
            });
            let numbers: Vec<i64> = orders
                .iter()
                .map(|order| order.created_at_ms / 100)
                .collect();
            assert_eq!(
                (numbers, total),
                (found.clone(), found.len() as i64),
                "{filter:?}"
            );
            assert!(orders.iter().all(|order| order.lines.len() == 1));
        }
        write!(shop.db, tx => tx.delete_order(&"id-5-abcdef5".into(), 1).await?);
        assert_eq!(
            read!(shop.db, db => db.count_orders(&OrderFilter::default()).await?),
            4
        );
    })
    .await;
}

#[tokio::test]
async fn order_search_finds_short_ids() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        let ids = [
            "019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34",
            "019a8d2e-4f3c-7a10-9b2e-ee12ab34c0ff",
            "019a8d2f-0000-7a10-9b2e-0123456789ab",
        ];
        for (number, id) in (1..).zip(ids) {
            place(
                &shop.db,
                &order(id, &user, number, vec![line("goda", 1, 0)]),
            )
            .await;
        }
        for (text, found) in [
            (ids[0], vec![1]),
            ("EE12AB34", vec![1]),
            ("ee12ab3", vec![2, 1]),
            ("019a8d2e", vec![2, 1]),
            ("019A8D2", vec![3, 2, 1]),
            ("9b2e-0123", vec![3]),
            ("ffffffff", vec![]),
        ] {
            let filter = OrderFilter {
                order_id: text.into(),
                ..OrderFilter::default()
            };
            let orders = read!(shop.db, db => db.orders_page(&filter, 3, 0, 10).await?);
            let numbers: Vec<i64> = orders.iter().map(|order| order.created_at_ms).collect();
            assert_eq!(numbers, found, "{text}");
        }
    })
    .await;
}

#[tokio::test]
async fn pages_and_batches_have_every_order_once() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        // Three orders have the same time, so that they are sorted by id.
        for number in 0..11 {
            place(&shop.db, &order(&format!("id-{number:02}"), &user, number / 3, vec![line("goda", 1, 0)])).await;
        }
        let newest_first: Vec<String> = (0..11).rev().map(|number| format!("id-{number:02}")).collect();
        let ids = |orders: &[Order]| orders.iter().map(|order| order.id.0.clone()).collect::<Vec<_>>();
        for size in [1, 2, 3, 4, 11, 50] {
            let mut seen = Vec::new();
            for page in 0..11 {
                let orders = read!(shop.db, db => db.orders_page(&OrderFilter::default(), 11, page * size, size).await?);
                seen.extend(ids(&orders));
            }
            assert_eq!(seen, newest_first, "pages of {size}");

            let (mut seen, mut last) = (Vec::new(), None);
            loop {
                let cursor = last.clone();
                let chunk = read!(shop.db, db => db.orders_after(&OrderFilter::default(), cursor.as_ref(), size).await?);
                let Some(order) = chunk.last() else { break };
                last = Some(OrderCursor::from(order));
                seen.extend(ids(&chunk));
            }
            assert_eq!(seen, newest_first, "chunks of {size}");
        }
    })
    .await;
}

/// A text of the form of an id, different for each number.
fn fake_id(number: u64) -> String {
    let (mut text, mut state) = (
        String::new(),
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
    );
    for at in 0..36 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push(match at {
            8 | 13 | 18 | 23 => '-',
            // The timestamp, whose first digits are the same for orders of one day.
            0..=4 => '0',
            _ => char::from_digit((state >> 40) as u32 % 16, 16).unwrap(),
        });
    }
    text
}

async fn find(db: &Database, part: &str) -> Vec<String> {
    let filter = OrderFilter {
        order_id: part.into(),
        ..OrderFilter::default()
    };
    let mut ids: Vec<_> = read!(db, db => {
        let total = db.count_orders(&filter).await?;
        let orders = db.orders_page(&filter, total, 0, 1000).await?;
        assert_eq!(orders.len() as i64, total);
        orders
    })
    .into_iter()
    .map(|order| order.id.0)
    .collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn order_search_finds_any_part_of_an_id() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        let ids: Vec<String> = (0..560).map(fake_id).collect();
        let buyer = user.clone();
        let mut placed = ids[..550]
            .iter()
            .map(|id| order(id, &user, 1, vec![line("goda", 1, 0)]));
        let first: Vec<_> = placed.by_ref().collect();
        write!(shop.db, tx => for order in &first {
            tx.insert_order(order).await?;
        });
        while write!(shop.db, tx => tx.index_new_ids().await?) {}
        // These are not in the index yet.
        for id in &ids[550..] {
            place(&shop.db, &order(id, &buyer, 2, vec![line("goda", 1, 0)])).await;
        }
        let some = &ids[7];
        let late = &ids[555];
        // The index stores a dash as an x.
        let another = some[5..9].replace('-', "x");
        let parts = [
            &some[5..9],
            &another,
            &some[7..15],
            &some[20..],
            &some[..12],
            &some[12..15],
            &some[30..33],
            &late[6..10],
            &late[9..14],
            &late[24..28],
            &late[33..],
            "00",
            "000",
            "00000",
            "dead-b",
            "zzz",
            "-",
            "a",
        ];
        for part in parts {
            let mut expected: Vec<_> = ids.iter().filter(|id| id.contains(part)).cloned().collect();
            expected.sort();
            assert_eq!(find(&shop.db, part).await, expected, "{part}");
            assert_eq!(
                find(&shop.db, &part.to_uppercase()).await,
                expected,
                "{part}"
            );
        }
    })
    .await;
}
