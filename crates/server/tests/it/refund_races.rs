//! Refunds at the same time: whatever two people do at once, no pack and no paisa goes back twice.

use futures::future::join_all;
use mirasa_app::orders::StatusOptions;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::refund::Refund;
use mirasa_domain::refund_plan::RefundSelection;

use crate::admin_orders::customer_with_orders;
use crate::cancellation::stock;
use crate::harness::{RefundDesk, for_each_engine_fresh, packs, patiently};

const ROUNDS: u32 = 5;

fn sum<'r>(refunds: impl IntoIterator<Item = &'r Refund>) -> Paise {
    let counted = refunds.into_iter().filter(|refund| refund.counts());
    counted.map(|refund| refund.amount).sum()
}

async fn complete_all(desk: &RefundDesk<'_>, order: &Order) {
    for refund in desk.refunds(order).await {
        if refund.counts() && !refund.is_completed() {
            desk.complete(&refund).await;
        }
    }
}

#[test]
fn repetition_and_new_refund_at_once_refund_the_packs_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "race-retry", ROUNDS).await;
            for order in &orders {
                let all_small = packs("race-retry", order.lines[0].packs.of_50g, 0);
                let failed = desk.failed(order, all_small.clone()).await;
                let (retry, new) = tokio::join!(
                    desk.retry(failed.id.as_str()),
                    desk.refund(order, all_small)
                );
                assert!(retry.is_ok() != new.is_ok(), "{retry:?} {new:?}");
                assert_eq!(sum(&desk.refunds(order).await), failed.amount);
                assert_eq!(desk.issues(order).await, [""; 0]);
                complete_all(&desk, order).await;
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn repetitions_at_once_are_one_refund() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "race-retries", ROUNDS).await;
            for order in &orders {
                let failed = desk.failed(order, packs("race-retries", 1, 0)).await;
                let retries = join_all((0..4).map(|_| desk.retry(failed.id.as_str()))).await;
                assert_eq!(retries.iter().filter(|one| one.is_ok()).count(), 1);
                assert_eq!(desk.refunds(order).await.len(), 2);
                complete_all(&desk, order).await;
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn refund_and_cancellation_at_once_return_money_and_packs_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "race-cancel", ROUNDS).await;
            for order in &orders {
                let packs = packs("race-cancel", 1, 1);
                let failed = desk.failed(order, packs.clone()).await;
                let cancel = patiently(async || {
                    let (id, status) = (order.id.clone(), OrderStatus::Cancelled);
                    let both = StatusOptions {
                        refund: true,
                        restock: true,
                        ..StatusOptions::default()
                    };
                    desk.instance
                        .set_order_status(&desk.admin, id, status, both)
                        .await
                });
                let everything = RefundSelection::Everything;
                let (cancelled, part, all, retry) = tokio::join!(
                    cancel,
                    desk.refund_with(order, packs, true),
                    desk.refund_with(order, everything, true),
                    desk.retry(failed.id.as_str()),
                );
                cancelled.unwrap();
                let refunds = desk.refunds(order).await;
                assert_eq!(
                    sum(&refunds),
                    order.state.total,
                    "{part:?} {all:?} {retry:?}"
                );
                assert_eq!(desk.issues(order).await, [""; 0]);
                complete_all(&desk, order).await;
            }
            // All packs of all orders are back.
            assert_eq!(stock(shop, "race-cancel").await, (100_000, 500, 500));
            shop.assert_consistent().await;
        },
    );
}
