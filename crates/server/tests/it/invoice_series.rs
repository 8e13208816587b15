//! The numbers of invoices: consecutive in each series and financial year, whatever happens at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures::future::join_all;
use mirasa_app::orders::StatusOptions;
use mirasa_app::ports::clock::Clock;
use mirasa_app::{AppError, ErrorCode, Shop};
use mirasa_domain::invoice::{FinancialYear, SeriesPrefix};
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::user::{User, UserId};

use crate::admin_orders::{customer_with_orders, id_of};
use crate::harness::{
    PendingPayment, ProductFixture, TestShop, eventually, for_each_engine_fresh, now_ms, read_db,
    saved,
};
use crate::invoices::{invoices, pack, set_status};

struct FixedClock(AtomicI64);

impl Clock for FixedClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// The same shop on another connection, as a second instance, with its own clock.
fn second_instance(shop: &TestShop, at_ms: i64) -> Shop {
    Shop {
        db: shop.second_instance.clone(),
        clock: Arc::new(FixedClock(AtomicI64::new(at_ms))),
        ..shop.running.shop.clone()
    }
}

async fn admin_user(shop: &TestShop) -> User {
    let id = UserId(id_of(&shop.admin().await).await);
    read_db!(shop, db => db.user(&id).await?).unwrap()
}

async fn ship(instance: &Shop, admin: &User, order: &Order) {
    eventually("the order is shipped", async || {
        let (id, options) = (order.id.clone(), StatusOptions::default());
        let shipping = instance.set_order_status(admin, id, OrderStatus::Shipped, options);
        match shipping.await {
            // On a slow machine the connections are busy for longer than a request waits.
            Err(error) if error.code == ErrorCode::Unavailable => false,
            shipped => {
                shipped.unwrap();
                true
            }
        }
    })
    .await;
}

async fn number_of(shop: &TestShop, order: &Order) -> String {
    invoices(shop, order).await.remove(0).number
}

/// Paid orders of several customers.
async fn paid_orders(shop: &TestShop, customers: usize, of_each: usize) -> Vec<Order> {
    let id = shop
        .add_product(ProductFixture::new("series", "Series"))
        .await;
    let orders = (0..customers).map(async |at| {
        let customer = shop.customer(&format!("series-{at}")).await;
        let home = customer.home().await;
        let mut placed = Vec::new();
        for packs in 1..=of_each {
            customer.add(id, u32::try_from(packs).unwrap(), 1).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&payment, "pay").await;
            customer.settled_result(&payment).await;
            placed.push(shop.order_of(&payment).await);
        }
        placed
    });
    join_all(orders).await.concat()
}

#[test]
fn fifty_concurrent_issuers_on_two_instances_leave_no_gap() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let orders = paid_orders(shop, 10, 5).await;
            let (admin, user) = (shop.admin().await, admin_user(shop).await);
            let second = second_instance(shop, now_ms());
            let issued = orders.iter().enumerate().map(async |(at, order)| {
                match at % 4 {
                    0 => {
                        saved(async || set_status(&admin, order.id.as_str(), "shipped").await).await
                    }
                    1 => saved(async || pack(&admin, &[order.id.as_str()]).await).await,
                    2 => ship(&second, &user, order).await,
                    _ => {
                        // Twice at the same time: one of the two issues the invoice.
                        let both = [ship(&second, &user, order), ship(&second, &user, order)];
                        join_all(both).await;
                    }
                }
            });
            join_all(issued).await;
            let year = FinancialYear::of(now_ms());
            let numbers = join_all(orders.iter().map(|order| number_of(shop, order)));
            let mut numbers = numbers.await;
            numbers.sort();
            let expected: Vec<_> = (1..=50).map(|at| format!("MIR/{year}/{at:06}")).collect();
            assert_eq!(numbers, expected);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn rolled_back_invoice_leaves_no_gap() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "rollback", 3).await;
            set_status(&admin, orders[2].id.as_str(), "cancelled")
                .await
                .expect_ok();
            let all: Vec<_> = orders.iter().map(|order| order.id.as_str()).collect();
            for _ in 0..3 {
                pack(&admin, &all[2..])
                    .await
                    .expect_code(409, "order_not_packable", "");
            }
            // A transaction that fails after it has taken numbers.
            for count in 1..=3 {
                let taken: Result<(), AppError> = shop
                    .second_instance
                    .write(async move |tx| {
                        let series = SeriesPrefix::parse("MIR").unwrap();
                        let (year, now_ms) = (FinancialYear::of(now_ms()), now_ms());
                        tx.take_serials(&series, year, count, now_ms).await?;
                        Err(AppError::conflict("rolled back"))
                    })
                    .await;
                assert_eq!(taken.unwrap_err().code, ErrorCode::Conflict);
            }
            // One of them cannot be packed. The others get the first numbers, once.
            for _ in 0..3 {
                let packed = pack(&admin, &[all[0], all[2]]).await.expect_ok();
                assert_eq!(packed["notPacked"][0]["orderId"], all[2]);
                assert_eq!(packed["notPacked"][0]["code"], "order_not_packable");
            }
            assert!(number_of(shop, &orders[0]).await.ends_with("/000001"));
            set_status(&admin, orders[1].id.as_str(), "shipped")
                .await
                .expect_ok();
            assert!(number_of(shop, &orders[1]).await.ends_with("/000002"));
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn series_begins_again_with_the_financial_year_in_india() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let user = admin_user(shop).await;
            let (_, orders) = customer_with_orders(shop, "year", 6).await;
            let april = ist::day_start_ms(ist::first_of_month(2027, 4));
            let mut shipped = Vec::new();
            for (order, at_ms) in orders.iter().zip([april - 2, april - 1, april, april + 1]) {
                ship(&second_instance(shop, at_ms), &user, order).await;
                shipped.push(number_of(shop, order).await);
            }
            assert_eq!(
                shipped,
                [
                    "MIR/26-27/000001",
                    "MIR/26-27/000002",
                    "MIR/27-28/000001",
                    "MIR/27-28/000002"
                ]
            );
            // The clock of another instance is behind: before the turn of the year the old series goes on.
            ship(&second_instance(shop, april - 3), &user, &orders[4]).await;
            let late = invoices(shop, &orders[4]).await.remove(0);
            assert_eq!(late.number, "MIR/26-27/000003");
            assert_eq!(late.issued_at_ms, april - 1, "not before its predecessor");
            ship(&second_instance(shop, april), &user, &orders[5]).await;
            let next = invoices(shop, &orders[5]).await.remove(0);
            assert_eq!(next.number, "MIR/27-28/000003");
            assert_eq!(next.issued_at_ms, april + 1);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn consistency_check_finds_wrong_invoices() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "checked", 2).await;
            for order in &orders {
                set_status(&admin, order.id.as_str(), "shipped")
                    .await
                    .expect_ok();
            }
            let path = format!("/api/admin/orders/{}/refunds", orders[0].id);
            let body = serde_json::json!({ "amount": 5, "reason": "Late" });
            admin.post(&path, body).await.expect_ok();
            crate::cancellation::finish_refunds(shop, orders[0].id.as_str()).await;
            shop.assert_consistent().await;
            let first = format!("number like 'MIR/%' and order_id = '{}'", orders[0].id);
            let note = "refers_to is not null";
            for (change, undo, found) in [
                (
                    format!("update documents set taxable = taxable - 1, total = total - 1 where {first}"),
                    format!("update documents set taxable = taxable + 1, total = total + 1 where {first}"),
                    "is not what was paid",
                ),
                (
                    "update refunds set amount = amount - 100".to_owned(),
                    "update refunds set amount = amount + 100".to_owned(),
                    "is not the money kept",
                ),
                (
                    format!("update refunds set deducted_from = (select id from documents where {first})"),
                    "update refunds set deducted_from = null".to_owned(),
                    "is not what was paid",
                ),
                (
                    format!("update documents set taxable = taxable + 100000, total = total + 100000 where {note}"),
                    format!("update documents set taxable = taxable - 100000, total = total - 100000 where {note}"),
                    "do not fit its invoice",
                ),
                (
                    format!("update documents set refund_id = null where {note}"),
                    format!("update documents set refund_id = (select id from refunds) where {note}"),
                    "do not fit its invoice",
                ),
                (
                    "update document_series set last_serial = last_serial + 1 where series = 'MIR'".to_owned(),
                    "update document_series set last_serial = last_serial - 1 where series = 'MIR'".to_owned(),
                    "have gaps",
                ),
                (
                    "update documents set serial = 7 where series = 'MIR' and serial = 2".to_owned(),
                    "update documents set serial = 2 where series = 'MIR' and serial = 7".to_owned(),
                    "have gaps",
                ),
                (
                    "update documents set issued_at = issued_at + 100000 where series = 'MIR' and serial = 1".to_owned(),
                    "update documents set issued_at = issued_at - 100000 where series = 'MIR' and serial = 1".to_owned(),
                    "have gaps",
                ),
            ] {
                assert_ne!(shop.sql(&change).await, 0, "{change}");
                let report = mirasa_server::commands::check_data::check_consistency(&shop.second_instance);
                let report = report.await.unwrap().to_string();
                assert!(report.contains(found), "{change}: {report}");
                shop.sql(&undo).await;
                shop.assert_consistent().await;
            }
        },
    );
}
