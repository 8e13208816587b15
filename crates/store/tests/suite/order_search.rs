//! Finding orders: by everything an owner may type, page by page, and by any part of an id.

use mirasa_app::repository::Database;
use mirasa_app::repository::order_search::{OrderCursor, OrderFilter};
use mirasa_domain::order::{Order, OrderStatus};

use crate::engines::{a_user, for_each_engine, read, write};
use crate::orders::{line, order, place};

#[tokio::test]
async fn orders_are_found_by_every_part_of_the_filter() {
    for_each_engine(|shop| async move {
        let (asha, ravi) = (
            a_user(&shop.db, "asha").await.id,
            a_user(&shop.db, "ravi").await.id,
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
        write!(shop.db, tx => tx.set_order_status("id-3-abcdef3", OrderStatus::Shipped, 1).await?);
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
            (filter(|f| f.user_id = "user-nobody".into()), vec![]),
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
            let asked = filter.clone();
            let (orders, total) = read!(shop.db, db => {
                let total = db.count_orders(&asked).await?;
                (db.orders_page(&asked, total, 0, 10).await?, total)
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
        write!(shop.db, tx => tx.delete_order("id-5-abcdef5", 1).await?);
        assert_eq!(
            read!(shop.db, db => db.count_orders(&OrderFilter::default()).await?),
            4
        );
    })
    .await;
}

#[tokio::test]
async fn an_order_is_found_by_the_number_it_is_shown_by() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
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
        for (typed, found) in [
            (ids[0], vec![1]),
            ("EE12AB34", vec![1]),
            ("ee12ab3", vec![2, 1]),
            ("019a8d2e", vec![2, 1]),
            ("019A8D2", vec![3, 2, 1]),
            ("9b2e-0123", vec![3]),
            ("ffffffff", vec![]),
        ] {
            let filter = OrderFilter {
                order_id: typed.into(),
                ..OrderFilter::default()
            };
            let orders = read!(shop.db, db => db.orders_page(&filter, 3, 0, 10).await?);
            let numbers: Vec<i64> = orders.iter().map(|order| order.created_at_ms).collect();
            assert_eq!(numbers, found, "{typed}");
        }
    })
    .await;
}

#[tokio::test]
async fn pages_and_chunks_have_every_order_once_from_either_end() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        // Three of each moment, so that the id has to decide.
        for number in 0..11 {
            place(&shop.db, &order(&format!("id-{number:02}"), &user, number / 3, vec![line("goda", 1, 0)])).await;
        }
        let newest_first: Vec<String> = (0..11).rev().map(|number| format!("id-{number:02}")).collect();
        let ids = |orders: &[Order]| orders.iter().map(|order| order.id.clone()).collect::<Vec<_>>();
        for size in [1, 2, 3, 4, 11, 50] {
            let mut seen = Vec::new();
            for page in 0..11 {
                let orders = read!(shop.db, db => db.orders_page(&OrderFilter::default(), 11, page * size, size).await?);
                seen.extend(ids(&orders));
            }
            assert_eq!(seen, newest_first, "pages of {size}");

            let (mut seen, mut last) = (Vec::new(), None);
            loop {
                let behind = last.clone();
                let chunk = read!(shop.db, db => db.orders_after(&OrderFilter::default(), behind.as_ref(), size).await?);
                let Some(order) = chunk.last() else { break };
                last = Some(OrderCursor::from(order));
                seen.extend(ids(&chunk));
            }
            assert_eq!(seen, newest_first, "chunks of {size}");
        }
    })
    .await;
}

/// What looks like an id, and is another one for each number.
fn an_id(number: u64) -> String {
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
            // The moment, which orders of one day share.
            0..=4 => '0',
            _ => char::from_digit((state >> 40) as u32 % 16, 16).unwrap(),
        });
    }
    text
}

async fn found(db: &Database, part: &str) -> Vec<String> {
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
    .map(|order| order.id)
    .collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn any_part_of_an_id_finds_it_as_soon_as_it_is_there() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        let ids: Vec<String> = (0..560).map(an_id).collect();
        let owner = user.clone();
        let mut placed = ids[..550]
            .iter()
            .map(|id| order(id, &user, 1, vec![line("goda", 1, 0)]));
        let first: Vec<_> = placed.by_ref().collect();
        write!(shop.db, tx => for order in &first {
            tx.insert_order(order).await?;
        });
        while write!(shop.db, tx => tx.index_new_ids().await?) {}
        // These are not in any index yet.
        for id in &ids[550..] {
            place(&shop.db, &order(id, &owner, 2, vec![line("goda", 1, 0)])).await;
        }
        let some = &ids[7];
        let late = &ids[555];
        // The index takes a dash for an x.
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
            let mut fitting: Vec<_> = ids.iter().filter(|id| id.contains(part)).cloned().collect();
            fitting.sort();
            assert_eq!(found(&shop.db, part).await, fitting, "{part}");
            assert_eq!(
                found(&shop.db, &part.to_uppercase()).await,
                fitting,
                "{part}"
            );
        }
    })
    .await;
}
