//! Which packs a refund is about: none for a second payment, and each pack comes back into stock once.

use mirasa_app::ErrorCode;
use mirasa_domain::order::Order;
use mirasa_domain::refund::Refund;
use mirasa_domain::refund_plan::RefundSelection;

use crate::admin_orders::{customer_with_orders, ids};
use crate::cancellation::stock;
use crate::harness::{RefundDesk, TestShop, amount, for_each_engine_fresh, packs, read_db};
use crate::stock::pack;

/// The customer has paid on a second page as well. The money of that payment is refunded at once.
pub async fn second_payment(shop: &TestShop, desk: &RefundDesk<'_>, order: &Order) -> Refund {
    let (id, total) = (&order.id, order.state.total.get());
    shop.sql(&format!(
        "insert into payment_attempts (merchant_order_id, order_id, amount, received, state, expires_at, created_at, looked_at,
         next_look_at, leased_until) values ('M2-{id}', '{id}', {total}, {total}, 'completed', 1, 1, 1, {}, 0)",
        i64::MAX
    ))
    .await;
    shop.sql(&format!(
        "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at,
         looks, leased_until, requested_by) values ('R2-{id}', 'M2-{id}', '{id}', {total}, 'Paid twice', 'wanted', 1, 1,
         {}, 0, 0, 'system')",
        order.created_at_ms + 365 * 86_400_000
    ))
    .await;
    let refunds = desk.refunds(order).await;
    refunds
        .into_iter()
        .find(|one| one.id.as_str() == format!("R2-{id}"))
        .unwrap()
}

#[test]
fn repeated_refund_of_a_second_payment_leaves_the_order_to_be_packed() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "paid-on-both", 1).await;
            let order = &orders[0];
            let failed = second_payment(shop, &desk, order).await;
            desk.fail(&failed).await;
            let again = desk.retry(failed.id.as_str()).await.unwrap();
            assert_eq!((again.amount, again.lines.len()), (order.state.total, 0));
            assert_eq!(again.merchant_order_id, failed.merchant_order_id);
            let to_pack = format!("todo=pack&userId={}", order.user.0);
            assert_eq!(ids(&admin, &to_pack).await, std::slice::from_ref(&order.id));

            // An earlier version named all packs.
            shop.sql(&format!(
                "insert into refund_lines (refund_id, product_id, qty_50g, qty_100g, amount)
                 select '{}', product_id, qty_50g, qty_100g, line_total from order_lines where order_id = '{}'",
                again.id, order.id
            ))
            .await;
            assert_eq!(ids(&admin, &to_pack).await, std::slice::from_ref(&order.id));
            pack(&admin, std::slice::from_ref(&order.id.0))
                .await
                .expect_ok();
            let to_ship = format!("todo=ship&userId={}", order.user.0);
            assert_eq!(ids(&admin, &to_ship).await, std::slice::from_ref(&order.id));
            desk.complete(&again).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn packs_of_a_failed_refund_come_back_into_stock_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "back-once", 2).await;
            // Two packs of 50 g and one of 100 g.
            let order = &orders[1];
            let (grams, of_50g, of_100g) = stock(shop, "back-once").await;
            let one_more = (grams + 50, of_50g + 1, of_100g);
            let restocked = async |selection: RefundSelection| {
                let refund = desk.refund_with(order, selection, true).await;
                refund.unwrap()
            };
            let first = restocked(packs("back-once", 1, 0)).await;
            assert_eq!(stock(shop, "back-once").await, one_more);
            desk.fail(&first).await;
            shop.assert_consistent().await;
            let new = restocked(packs("back-once", 1, 0)).await;
            assert_eq!(
                stock(shop, "back-once").await,
                one_more,
                "it is back already"
            );
            desk.complete(&new).await;
            let to_pack = format!("todo=pack&userId={}", order.user.0);
            let packed = [orders[0].id.clone(), order.id.clone()];
            let mut listed = ids(&admin, &to_pack).await;
            listed.sort_unstable();
            let mut expected = packed.to_vec();
            expected.sort_unstable();
            assert_eq!(listed, expected, "the other packs are sent");
            shop.assert_consistent().await;

            // The check notices a pack that came back twice.
            let id = &order.id;
            for (change, is_found) in [("+ 1", true), ("- 1", false)] {
                shop.sql(&format!(
                    "update order_lines set restocked_50g = restocked_50g {change} where order_id = '{id}'"
                ))
                .await;
                let wrong = read_db!(shop, db => db.orders_with_wrong_restock().await?);
                assert_eq!(wrong.contains(&id.0), is_found, "{change}");
            }

            // One of two is back already.
            let order = &orders[0];
            let restocked = async |selection: RefundSelection| {
                let refund = desk.refund_with(order, selection, true).await;
                refund.unwrap()
            };
            let first = restocked(packs("back-once", 1, 0)).await;
            desk.fail(&first).await;
            let again = desk.retry(first.id.as_str()).await.unwrap();
            desk.complete(&again).await;
            assert_eq!(
                stock(shop, "back-once").await,
                (grams + 100, of_50g + 2, of_100g),
                "a repetition puts nothing back"
            );
            restocked(RefundSelection::Everything).await;
            assert_eq!(
                stock(shop, "back-once").await,
                (grams + 200, of_50g + 2, of_100g + 1)
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn failed_refund_that_was_made_good_in_parts_is_not_repeated() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "in-parts", 4).await;
            // Four packs of 50 g and one of 100 g.
            let order = &orders[3];
            let failed = desk.failed(order, packs("in-parts", 2, 0)).await;
            desk.completed(order, packs("in-parts", 1, 0)).await;
            assert_eq!(desk.issues(order).await, ["refund failed"]);
            let refused = desk.retry(failed.id.as_str()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Conflict);
            let text =
                "A part of this refund was refunded otherwise. Refund the rest with a new refund.";
            assert_eq!(refused.message, text);
            desk.completed(order, packs("in-parts", 1, 0)).await;
            assert_eq!(desk.issues(order).await, [""; 0]);
            let refused = desk.retry(failed.id.as_str()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Conflict);

            let order = &orders[2];
            let failed = desk.failed(order, amount(100_00)).await;
            desk.completed(order, amount(50_00)).await;
            assert!(desk.retry(failed.id.as_str()).await.is_err());
            // The second half fails: it is repeated, not the first refund.
            let half = desk.failed(order, amount(50_00)).await;
            assert_eq!(desk.issues(order).await, ["refund failed"]);
            let half = desk.retry(half.id.as_str()).await.unwrap();
            desk.complete(&half).await;
            assert_eq!(desk.issues(order).await, [""; 0]);
            assert!(desk.retry(failed.id.as_str()).await.is_err());

            // A pack, then its price as an amount.
            let order = &orders[1];
            let failed = desk.failed(order, packs("in-parts", 1, 0)).await;
            desk.completed(order, amount(failed.amount.get())).await;
            assert_eq!(desk.issues(order).await, [""; 0]);
            assert!(desk.retry(failed.id.as_str()).await.is_err());

            for (order, returned) in [(3, 131_00), (2, 100_00), (1, failed.amount.get())] {
                let refunds = desk.refunds(&orders[order]).await;
                let completed = refunds.iter().filter(|one| one.is_completed());
                let sum: i64 = completed.map(|one| one.amount.get()).sum();
                assert_eq!(sum, returned, "order {order}");
            }
            shop.assert_consistent().await;
        },
    );
}
