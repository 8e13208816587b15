//! Stock in batches with too few days left is not sold: pages, carts, checkouts, feeds, notices and the stock section.

use futures::future::join_all;
use mirasa_domain::order::PaymentStatus;
use serde_json::{Value, json};

use crate::batch_packing::make_too_old;
use crate::batches::{day, new_product, receive};
use crate::feeds::{items, with_images};
use crate::harness::{
    PendingPayment, TestClient, TestResponse, eventually, for_each_engine, for_each_engine_fresh,
};
use crate::stock::{amounts, buy, move_stock, pack, stock_of};

async fn shown(client: &TestClient, product: &str) -> Value {
    let path = format!("/api/products/{product}");
    client.get(&path).await.expect_ok()["product"].take()
}

async fn add(client: &TestClient, product: &str, of_50g: u32) -> TestResponse {
    let body = json!({ "productId": product, "qty_50g": of_50g, "qty_100g": 0 });
    client.post("/api/cart/add-to-cart", body).await
}

#[test]
fn batch_that_gets_too_old_overnight_is_not_sold() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "old-overnight", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "OLD", 45, 1_000).await;
        receive(&admin, product, "NEW", 200, 120).await;
        let (early, late) = (
            shop.customer("old-early").await,
            shop.customer("old-late").await,
        );
        add(&early, product, 3).await.expect_ok();
        buy(&late, product, 1, 0).await;
        assert_eq!(shown(&early, product).await["stock"], 1_070);

        // Midnight in India. Nothing is written.
        let midnight = format!(
            "update batches set best_before = best_before - 1 where product_id = '{product}' and number = 'OLD'"
        );
        shop.sql(&midnight).await;
        // The checkout does not wait for the catalogue. 70 g are left that may be sent.
        let home = early.home().await;
        let response = early.check_out(&home).await;
        response.expect_error(409, "Not enough spice stock available");
        eventually("the product page shows it", async || {
            shown(&early, product).await["stock"] == 70
        })
        .await;
        let cart = early.get("/api/cart/cart").await.expect_ok();
        assert_eq!(cart["cart"]["items"][0]["max_50g"], 1, "{cart}");
        add(&late, product, 2)
            .await
            .expect_error(409, "Not enough spice stock available");

        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]).0, 70);
        assert_eq!(row["tooOldGrams"], 1_000);
        assert_eq!(amounts(&row["inShop"]).0, 1_120);
        // 50 g were sold in 14 days.
        assert_eq!(row["daysLeft"], 19);
        let listed = admin
            .get(&format!("/api/admin/products?search={product}"))
            .await
            .expect_ok();
        assert_eq!(
            listed["products"][0]["stock"], 1_070,
            "an admin edits the whole stock"
        );

        let order = buy(&late, product, 1, 0).await;
        pack(&admin, &[order]).await.expect_ok();
        eventually("it is sold out", async || {
            shown(&early, product).await["stock"] == 20
        })
        .await;
        let row = stock_of(&admin, product).await;
        assert_eq!(
            (&row["isSoldOut"], &row["isLow"]),
            (&json!(true), &json!(true))
        );
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn receiving_a_batch_that_is_too_old_offers_nothing() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "old-received", 0).await;
        let admin = shop.admin().await;
        let visitor = shop.visitor();
        let notify = format!("/api/products/{product}/notify");
        let body = json!({ "email": "old-received@it.example" });
        visitor.post(&notify, body.clone()).await.expect_ok();
        let old = receive(&admin, product, "OLD", 44, 500).await;
        assert_eq!(shown(&visitor, product).await["stock"], 0, "at once");
        // Still sold out: it can be asked for, and nobody is told.
        visitor.post(&notify, body).await.expect_ok();
        shop.running.shop.send_stock_notices().await.unwrap();
        let told = async || {
            shop.sql("update mails set recipient = recipient where recipient = 'old-received@it.example'")
                .await
        };
        assert_eq!(told().await, 0);
        let customer = shop.customer("old-received").await;
        add(&customer, product, 1)
            .await
            .expect_error(409, "Not enough spice stock available");

        // Grams that are there get a batch that is too old: they are not sold any more.
        let fresh = new_product(shop, "old-labelled", 500).await;
        let label = json!({ "productId": fresh, "number": "L", "bestBefore": day(10), "grams": 450, "inStock": true });
        admin.post("/api/admin/batches", label).await.expect_ok();
        assert_eq!(shown(&visitor, fresh).await["stock"], 50);

        let write_off =
            json!({ "kind": "writeOff", "grams": 500, "batchId": old, "note": "Too old" });
        move_stock(&admin, product, write_off).await.expect_ok();
        receive(&admin, product, "NEW", 90, 100).await;
        assert_eq!(shown(&visitor, product).await["stock"], 100);
        shop.running.shop.send_stock_notices().await.unwrap();
        assert_eq!(told().await, 1);
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn what_orders_need_cannot_be_replaced_by_what_is_too_old() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "old-needed", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "OLD", 20, 500).await;
        let fresh = receive(&admin, product, "NEW", 90, 200).await;
        let customer = shop.customer("old-needed").await;
        let order = buy(&customer, product, 3, 0).await;
        let write_off = |grams: i64| json!({ "kind": "writeOff", "grams": grams, "batchId": fresh, "note": "Wet" });
        let response = move_stock(&admin, product, write_off(51)).await;
        response.expect_code(409, "insufficient_stock", "");
        move_stock(&admin, product, write_off(50)).await.expect_ok();
        pack(&admin, &[order]).await.expect_ok();
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn late_payment_does_not_take_what_is_too_old() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let product = new_product(shop, "old-late", 0).await;
            let admin = shop.admin().await;
            receive(&admin, product, "A", 45, 1_000).await;
            let customer = shop.customer("old-late-payment").await;
            customer.add(product, 2, 0).await;
            let home = customer.home().await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            shop.expire(&payment).await;
            make_too_old(shop, product).await;
            shop.inject_faults(json!({ "webhook": "never", "late_payments": true }))
                .await;
            customer.submit_payment(&payment, "pay").await;
            shop.poll_payment(&payment).await;
            let order = shop.order_of(&payment).await;
            assert_eq!(order.state.payment_status, PaymentStatus::Failed);
            let issues = shop.issues_for(&payment).await;
            assert_eq!(issues[0].kind.as_str(), "refund", "{issues:?}");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn checkouts_while_batches_are_received_and_written_off_sell_only_what_can_be_sent() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "old-race", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "FRESH", 90, 200).await;
        let customers = join_all((0..8).map(async |number| {
            let customer = shop.customer(&format!("old-race-{number}")).await;
            customer.add(product, 0, 1).await;
            let home = customer.home().await;
            (customer, home)
        }))
        .await;
        // Old batches come and go while eight customers want 100 g each. Only two can have them.
        let stock = async {
            for number in 0..4 {
                let batch = receive(&admin, product, &format!("OLD-{number}"), 10, 1_000).await;
                let write_off = json!({ "kind": "writeOff", "grams": 1_000, "batchId": batch, "note": "Too old" });
                move_stock(&admin, product, write_off).await.expect_ok();
            }
            receive(&admin, product, "OLD", 10, 1_000).await;
        };
        let sales = join_all(customers.iter().map(async |(customer, home)| {
            let mut response = customer.check_out(home).await;
            while response.status == 503 {
                response = customer.check_out(home).await;
            }
            (customer, response)
        }));
        let (sales, ()) = futures::join!(sales, stock);
        let (sold, refused): (Vec<_>, Vec<_>) = sales
            .into_iter()
            .partition(|(_, response)| response.status == 200);
        assert_eq!((sold.len(), refused.len()), (2, 6));
        let mut orders = Vec::new();
        for (customer, response) in &sold {
            let payment = PendingPayment::from_response(response);
            customer.submit_payment(&payment, "pay").await;
            let settled = customer.settled_result(&payment).await;
            orders.push(settled["order"]["_id"].as_str().unwrap().to_owned());
        }
        let packed = pack(&admin, &orders).await.expect_ok();
        assert_eq!(packed["notPacked"], json!([]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn feed_says_that_what_is_too_old_is_out_of_stock() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let product = new_product(shop, "old-feed", 0).await;
            let admin = shop.admin().await;
            receive(&admin, product, "A", 45, 1_000).await;
            with_images(shop, product, "Text").await;
            let availability = async || {
                let feed = shop.visitor().get("/feeds/google.xml").await;
                let all = items(feed.text()).into_iter().flatten();
                let all = all.filter(|(name, _)| name == "availability");
                all.map(|(_, value)| value).collect::<Vec<_>>()
            };
            assert_eq!(availability().await, ["in_stock", "in_stock"]);
            make_too_old(shop, product).await;
            shop.refresh_catalogue().await;
            assert_eq!(availability().await, ["out_of_stock", "out_of_stock"]);
        },
    );
}

#[test]
fn refunded_order_that_could_not_be_packed_stays_out_of_the_lists() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let product = new_product(shop, "old-refunded", 0).await;
            let admin = shop.admin().await;
            receive(&admin, product, "A", 45, 1_000).await;
            let customer = shop.customer("old-refunded").await;
            let refunded = buy(&customer, product, 1, 0).await;
            let other = shop.paid_order(&customer).await;
            let path = format!("/api/admin/orders/{refunded}/refunds");
            let body = json!({ "reason": "Late", "restock": false });
            admin.post(&path, body).await.expect_ok();
            make_too_old(shop, product).await;
            let body = json!({ "orders": [refunded, other], "evenIfRefunded": true });
            let packed = admin
                .put("/api/admin/orders/packed", body)
                .await
                .expect_ok();
            assert_eq!(packed["notPacked"][0]["code"], "batch_too_old", "{packed}");
            let to_do = admin.get("/api/admin/to-do").await.expect_ok();
            assert_eq!(to_do["toPack"], 0, "{to_do}");
        },
    );
}
