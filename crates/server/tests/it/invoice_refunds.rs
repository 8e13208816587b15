//! Invoice less credit notes is the money that the shop keeps, whatever happens to refunds before and after the invoice.

use std::collections::HashMap;

use mirasa_app::orders::LeavingConfirmation;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::refund::Refund;
use mirasa_domain::refund_cover;
use mirasa_domain::refund_plan::RefundSelection;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::discounts::{add_code, enter};
use crate::harness::{
    PendingPayment, RefundDesk, TestShop, amount, for_each_engine_fresh, packs, patiently,
};
use crate::invoices::invoices;

const SEQUENCES: usize = 100;

impl RefundDesk<'_> {
    async fn pack(&self, order: &Order) {
        let packed = patiently(async || {
            let ids = vec![order.id.clone()];
            let confirmed = LeavingConfirmation::default();
            self.instance
                .pack_orders(&self.admin, ids, HashMap::new(), confirmed)
                .await
        });
        packed.await.unwrap();
    }

    /// What the invoices declare, and what the shop keeps, in paise. None without an invoice.
    async fn declared_and_kept(&self, order: &Order) -> Option<(i64, i64)> {
        let invoices = invoices(self.shop, order).await;
        let (notes, invoices): (Vec<_>, Vec<_>) =
            invoices.iter().partition(|one| one.refers_to.is_some());
        let invoice = invoices.first()?.total();
        let credited = notes.iter().map(|note| note.total()).sum();
        let refunds = self.refunds(order).await;
        let returned = refunds.iter().filter(|one| one.is_completed());
        let returned = returned.map(|one| one.amount).sum();
        Some((
            (invoice - credited).get(),
            (order.state.total - returned).get(),
        ))
    }

    async fn assert_declared(&self, order: &Order, paise: i64) {
        assert_eq!(self.declared_and_kept(order).await, Some((paise, paise)));
    }
}

/// One pack of 50 g and one of 100 g, for ₹185.50.
async fn order(desk: &RefundDesk<'_>, name: &'static str) -> Order {
    customer_with_orders(desk.shop, name, 1).await.1.remove(0)
}

#[test]
fn refund_that_fails_after_the_invoice_changes_nothing() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let order = order(&desk, "fails-later").await;
            let total = order.state.total.get();
            let first = desk.refund(&order, amount(40_00)).await.unwrap();
            desk.pack(&order).await;
            assert_eq!(invoices(shop, &order).await[0].total(), order.state.total);
            desk.fail(&first).await;
            desk.assert_declared(&order, total).await;
            desk.completed(&order, amount(40_00)).await;
            desk.assert_declared(&order, total - 40_00).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn refund_that_is_completed_after_the_invoice_has_a_credit_note() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let order = order(&desk, "completed-later").await;
            let total = order.state.total.get();
            let before = desk.completed(&order, amount(10_01)).await;
            let under_way = desk.refund(&order, packs("completed-later", 1, 0));
            let under_way = under_way.await.unwrap();
            desk.pack(&order).await;
            let invoice = invoices(shop, &order).await.remove(0);
            assert_eq!(invoice.total().get(), total - before.amount.get());
            assert_eq!(
                invoice.lines.len(),
                2,
                "the pack is in it until it is refunded"
            );
            desk.complete(&under_way).await;
            let notes = invoices(shop, &order).await.split_off(1);
            assert_eq!(notes.len(), 1);
            assert_eq!(notes[0].refund_id.as_ref(), Some(&under_way.id));
            assert_eq!(notes[0].total(), under_way.amount);
            desk.assert_declared(&order, total - 10_01 - 65_50).await;
            // A repetition of a refund that was requested before the invoice has a note, too.
            desk.completed(&order, RefundSelection::Everything).await;
            desk.assert_declared(&order, 0).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn repetition_has_one_credit_note() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let order = order(&desk, "repeated-later").await;
            let total = order.state.total.get();
            let first = desk.refund(&order, packs("repeated-later", 0, 1));
            let first = first.await.unwrap();
            desk.pack(&order).await;
            desk.fail(&first).await;
            let again = desk.retry(first.id.as_str()).await.unwrap();
            desk.fail(&again).await;
            let last = desk.retry(again.id.as_str()).await.unwrap();
            desk.complete(&last).await;
            desk.assert_declared(&order, total - 120_00).await;
            assert_eq!(invoices(shop, &order).await.len(), 2);
            shop.assert_consistent().await;
        },
    );
}

/// As an earlier version left it: the invoice is without a refund that was under way.
async fn deduct(shop: &TestShop, order: &Order, refund: &Refund) {
    let (order_id, paise) = (&order.id, refund.amount.get());
    // All of it comes off the first line.
    for (table, id) in [("documents", "id"), ("document_lines", "document_id")] {
        let columns = match table {
            "documents" => format!("taxable = taxable - {paise}, total = total - {paise}"),
            _ => format!("taxable = taxable - {paise}, discount = discount + {paise}"),
        };
        let line = if table == "documents" {
            ""
        } else {
            " and line = 1"
        };
        shop.sql(&format!(
            "update {table} set {columns} where {id} in
             (select id from documents where order_id = '{order_id}' and refers_to is null){line}"
        ))
        .await;
    }
    let refund = &refund.id;
    shop.sql(&format!(
        "update refunds set deducted_from = (select id from documents where order_id = '{order_id}' and refers_to is null)
         where id = '{refund}'"
    ))
    .await;
}

#[test]
fn what_an_earlier_version_has_deducted_has_no_credit_note_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "deducted", 4).await;
            let under_way = async |order: &Order| {
                let refund = desk.refund(order, amount(40_00)).await.unwrap();
                desk.pack(order).await;
                deduct(shop, order, &refund).await;
                refund
            };
            let total = |order: &Order| order.state.total.get();

            // It is completed.
            let order = &orders[0];
            let first = under_way(order).await;
            desk.complete(&first).await;
            desk.assert_declared(order, total(order) - 40_00).await;
            desk.completed(order, amount(5_00)).await;
            desk.assert_declared(order, total(order) - 45_00).await;

            // It fails and is repeated.
            let order = &orders[1];
            let first = under_way(order).await;
            desk.fail(&first).await;
            let kept = total(order);
            assert_eq!(
                desk.declared_and_kept(order).await,
                Some((kept - 40_00, kept)),
                "the invoice is not changed"
            );
            shop.assert_consistent().await;
            let again = desk.retry(first.id.as_str()).await.unwrap();
            desk.complete(&again).await;
            desk.assert_declared(order, total(order) - 40_00).await;

            // It fails, and a new refund for more is completed.
            let order = &orders[2];
            let first = under_way(order).await;
            desk.fail(&first).await;
            desk.completed(order, amount(50_00)).await;
            desk.assert_declared(order, total(order) - 50_00).await;
            let notes = invoices(shop, order).await.split_off(1);
            assert_eq!(notes[0].total(), Paise::new(10_00));
            desk.completed(order, amount(2_00)).await;
            desk.assert_declared(order, total(order) - 52_00).await;

            // It is under way while another one is completed.
            let order = &orders[3];
            let first = under_way(order).await;
            desk.completed(order, amount(50_00)).await;
            desk.complete(&first).await;
            desk.assert_declared(order, total(order) - 90_00).await;
            desk.completed(order, RefundSelection::Everything).await;
            desk.assert_declared(order, 0).await;
            shop.assert_consistent().await;
        },
    );
}

#[derive(Debug, Clone, Copy)]
enum Step {
    RefundAmount(i64),
    RefundPacks(u32, u32),
    RefundEverything,
    Cancel,
    Pack,
    /// Ends the oldest or the newest refund that is under way.
    End {
        newest: bool,
        completes: bool,
    },
    /// Repeats the oldest failed refund.
    Retry,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (100_i64..90_00).prop_map(Step::RefundAmount),
        3 => (0_u32..3, 0_u32..2).prop_map(|(small, large)| Step::RefundPacks(small, large)),
        1 => Just(Step::RefundEverything),
        1 => Just(Step::Cancel),
        3 => Just(Step::Pack),
        6 => (any::<bool>(), any::<bool>()).prop_map(|(newest, completes)| Step::End { newest, completes }),
        3 => Just(Step::Retry),
    ]
}

/// Paid orders, every second one with a discount that leaves odd paise.
async fn paid_orders(shop: &TestShop, name: &'static str, count: usize) -> Vec<Order> {
    let admin = shop.admin().await;
    add_code(&admin, "SEVENTH", "percent", 14.29, json!({})).await;
    let product = crate::harness::ProductFixture::new(name, name);
    let id = shop.add_product(product).await;
    let customer = shop.customer(name).await;
    let home = customer.home().await;
    let mut placed = Vec::new();
    for at in 0..count {
        customer.add(id, 3, 1).await;
        customer.add("goda-masala", 1, 0).await;
        if at % 2 == 0 {
            enter(&customer, "SEVENTH").await.expect_ok();
        }
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;
        placed.push(shop.order_of(&payment).await);
    }
    placed
}

async fn take(desk: &RefundDesk<'_>, order: &Order, step: Step) {
    let refunds = desk.refunds(order).await;
    match step {
        Step::RefundAmount(paise) => drop(desk.refund(order, amount(paise)).await),
        Step::RefundPacks(small, large) => {
            let selection = packs("sequences", small, large);
            drop(desk.refund_with(order, selection, true).await);
        }
        Step::RefundEverything => {
            drop(
                desk.refund_with(order, RefundSelection::Everything, true)
                    .await,
            );
        }
        Step::Cancel => {
            let cancelled = patiently(async || {
                let options = mirasa_app::orders::StatusOptions {
                    refund: true,
                    restock: true,
                    ..Default::default()
                };
                let (id, status) = (order.id.clone(), OrderStatus::Cancelled);
                desk.instance
                    .set_order_status(&desk.admin, id, status, options)
                    .await
            });
            cancelled.await.unwrap();
        }
        // Refused if the order is cancelled.
        Step::Pack => drop(
            patiently(async || {
                let ids = vec![order.id.clone()];
                let confirmed = LeavingConfirmation {
                    even_if_refunded: true,
                    even_if_unpaid: false,
                };
                desk.instance
                    .pack_orders(&desk.admin, ids, HashMap::new(), confirmed)
                    .await
            })
            .await,
        ),
        Step::End { newest, completes } => {
            let mut under_way = refunds
                .iter()
                .filter(|one| one.counts() && !one.is_completed());
            let refund = if newest {
                under_way.next_back()
            } else {
                under_way.next()
            };
            match refund {
                Some(refund) if completes => desk.complete(refund).await,
                Some(refund) => desk.fail(refund).await,
                None => {}
            }
        }
        Step::Retry => {
            let open = refunds
                .iter()
                .find(|one| refund_cover::is_open(one, &refunds));
            if let Some(failed) = open {
                drop(desk.retry(failed.id.as_str()).await);
            }
        }
    }
}

/// The steps are random. The seed is fixed, so that a failure can be repeated.
#[test]
fn invoices_declare_the_money_kept_after_any_sequence() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let orders = paid_orders(shop, "sequences", SEQUENCES).await;
            let mut runner = TestRunner::deterministic();
            let steps = prop::collection::vec(any_step(), 3..12);
            let mut invoices = 0;
            for order in &orders {
                let steps = steps.new_tree(&mut runner).unwrap().current();
                for step in &steps {
                    take(&desk, order, *step).await;
                }
                for refund in desk.refunds(order).await {
                    if refund.counts() && !refund.is_completed() {
                        desk.complete(&refund).await;
                    }
                }
                if let Some((declared, kept)) = desk.declared_and_kept(order).await {
                    assert_eq!(declared, kept, "{steps:?}");
                    invoices += 1;
                }
            }
            assert!(invoices > SEQUENCES / 3, "{invoices} invoices");
            shop.assert_consistent().await;
        },
    );
}
