//! Errors after the sale: of cancellations, refunds, problems, reviews, discounts and stock.

use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::error_codes::Seen;
use crate::harness::{PendingPayment, ProductFixture, TestShop, eventually};
use crate::reviews::{customer_who_received, publish};

pub async fn after_the_sale(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    let (customer, orders) = customer_with_orders(shop, "codes-after-sale", 2).await;
    let (first, second) = (&orders[0].id, &orders[1].id);
    let cancel = async |id: &str| crate::cancellation::cancel(&customer, id).await;
    let refund = async |body: serde_json::Value| {
        let path = format!("/api/admin/orders/{first}/refunds");
        admin.post(&path, body).await
    };
    let report = async || {
        let lines = json!([{ "productId": "codes-after-sale", "qty_50g": 1 }]);
        crate::problems::report(&customer, first.as_str(), "Torn", lines, vec![]).await
    };
    seen.check(&report().await, 409, "order_not_delivered", "");
    let path = format!("/api/admin/orders/{first}/status");
    let delivered = json!({ "orderStatus": "delivered" });
    admin.put(&path, delivered).await.expect_ok();
    seen.check(
        &cancel(first.as_str()).await,
        409,
        "order_not_cancellable",
        "",
    );
    let packed = crate::invoices::pack(&admin, &[first.as_str()]).await;
    seen.check(&packed, 409, "order_not_packable", "");
    let problem = report().await.expect_ok()["problem"]["_id"].take();
    seen.check(&report().await, 409, "problem_already_reported", "");
    let path = format!("/api/admin/problems/{}", problem.as_str().unwrap());
    let decline = json!({ "action": "decline", "message": "No" });
    admin.put(&path, decline.clone()).await.expect_ok();
    let response = admin.put(&path, decline).await;
    seen.check(&response, 409, "problem_resolved", "");
    shop.sql(&format!(
        "update orders set delivered_at = 1 where id = '{first}'"
    ))
    .await;
    seen.check(&report().await, 409, "report_period_over", "");
    shop.sql(&format!(
        "update orders set created_at = 1 where id = '{second}'"
    ))
    .await;
    seen.check(
        &cancel(second.as_str()).await,
        409,
        "cancellation_period_over",
        "",
    );
    after_packing(shop, seen, &admin).await;
    let response = refund(json!({ "amount": 99_999, "reason": "x" })).await;
    seen.check(&response, 409, "refund_exceeds_payment", "");
    refund(json!({ "reason": "x" })).await.expect_ok();
    let response = refund(json!({ "reason": "x" })).await;
    seen.check(&response, 409, "nothing_to_refund", "");
}

async fn after_packing(shop: &TestShop, seen: &Seen, admin: &crate::harness::TestClient) {
    let (customer, orders) = shop.packed_orders("codes-packed", 1).await;
    let cancel = async || crate::cancellation::cancel(&customer, &orders[0]).await;
    cancel().await.expect_ok();
    let response = crate::harness::ship(admin, &orders).await;
    seen.check(&response, 409, "cancellation_requested", "");
    let decide = async || {
        let decline = json!({ "accept": false, "message": "No" });
        crate::cancellation_requests::decide(admin, &orders[0], decline).await
    };
    decide().await.expect_ok();
    seen.check(&decide().await, 409, "cancellation_decided", "");
    seen.check(&cancel().await, 409, "cancellation_declined", "");
    let address = crate::pincodes::address_in(&customer, "744101").await;
    customer.add("goda-masala", 1, 0).await;
    let response = customer.check_out(&address).await;
    seen.check(&response, 409, "pincode_not_served", "addressId");
    let path = format!("/api/admin/orders/{}/status", orders[0]);
    let delivered = json!({ "orderStatus": "delivered" });
    admin.put(&path, delivered).await.expect_ok();
    for code in ["", "problem_repeated"] {
        let lines = json!([{ "productId": "goda-masala", "qty_50g": 1 }]);
        let reported = crate::problems::report(&customer, &orders[0], "Torn", lines, vec![]).await;
        let problem = reported.expect_ok()["problem"]["_id"].take();
        let path = format!("/api/admin/problems/{}", problem.as_str().unwrap());
        let response = admin.put(&path, json!({ "action": "replace" })).await;
        match code {
            "" => drop(response.expect_ok()),
            code => seen.check(&response, 409, code, ""),
        }
    }
}

pub async fn reviews(shop: &TestShop, seen: &Seen) {
    let product = "codes-reviews";
    let (customer, _) = customer_who_received(shop, product).await;
    let stranger = shop.customer("codes-stranger").await;
    let response = publish(&stranger, product, 5, "").await;
    seen.check(&response, 409, "product_not_received", "");
    let published = publish(&customer, product, 5, "").await.expect_ok();
    let response = publish(&customer, product, 5, "").await;
    seen.check(&response, 409, "already_reviewed", "");
    let id = published["review"]["_id"].as_str().unwrap();
    let path = format!("/api/user/reviews/{id}");
    let vote = json!({ "helpful": true });
    let response = customer.put(&format!("{path}/helpful"), vote).await;
    seen.check(&response, 409, "own_review", "");
    let response = stranger.delete(&path).await;
    seen.check(&response, 404, "review_not_found", "");
    let hide = json!({ "hidden": true, "reason": "Test" });
    let admin = shop.admin().await;
    let moderate = format!("/api/admin/reviews/{id}");
    admin.put(&moderate, hide).await.expect_ok();
    let response = customer.delete(&path).await;
    seen.check(&response, 409, "review_hidden", "");
    let response = stranger.get("/api/review-requests?token=x").await;
    seen.check(&response, 404, "review_link_invalid", "");
}

/// The order ends while the server requests its payment page from the gateway.
pub async fn replaced_checkout(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    let customer = shop.customer("codes-replaced").await;
    let home = customer.home().await;
    let email = TestShop::email("codes-replaced");
    customer.add("goda-masala", 1, 0).await;
    shop.inject_faults(json!({ "latency_ms": 3000, "calls": ["pay"] }))
        .await;
    let pending = async || {
        let reserved = admin.get("/api/admin/reserved-stock").await.expect_ok();
        let mut orders = reserved["orders"].as_array().unwrap().iter();
        let own = orders.find(|order| order["customerEmail"] == email.as_str());
        own.map(|order| order["orderId"].as_str().unwrap().to_owned())
    };
    let cancel = async {
        eventually("the order is saved", async || pending().await.is_some()).await;
        let path = format!("/api/admin/orders/{}/status", pending().await.unwrap());
        let cancelled = json!({ "orderStatus": "cancelled" });
        admin.put(&path, cancelled).await.expect_ok();
    };
    let (response, ()) = tokio::join!(customer.check_out(&home), cancel);
    seen.check(&response, 409, "checkout_replaced", "");
    shop.inject_faults(json!({})).await;
}

pub async fn unpaid_orders(shop: &TestShop, seen: &Seen) {
    let customer = shop.customer("codes-unpaid").await;
    let home = customer.home().await;
    customer.add("goda-masala", 1, 0).await;
    for _ in 0..2 {
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        shop.expire(&payment).await;
    }
    let response = customer.check_out(&home).await;
    seen.check(&response, 429, "too_many_unpaid_orders", "");
}

pub async fn discounts(shop: &TestShop, seen: &Seen) {
    let (admin, customer) = (shop.admin().await, shop.customer("codes-discounts").await);
    let code = json!({ "code": "PAUSED", "kind": "percent", "value": 10, "active": false });
    let path = "/api/admin/discounts";
    admin.post(path, code.clone()).await.expect_ok();
    let response = admin.post(path, code.clone()).await;
    seen.check(&response, 409, "discount_code_taken", "code");
    let response = customer.put("/api/cart/discount", code).await;
    seen.check(&response, 409, "discount_not_applicable", "code");
    let unknown = json!({ "code": "UNKNOWN" });
    let response = customer.put("/api/cart/discount", unknown).await;
    seen.check(&response, 404, "discount_not_found", "code");
}

pub async fn stock(shop: &TestShop, seen: &Seen) {
    let (admin, customer) = (shop.admin().await, shop.customer("codes-stock").await);
    let seen_stock = json!({ "grams": 2, "pouches50g": 0, "pouches100g": 0 });
    let body = json!({ "kind": "count", "grams": 1, "seen": seen_stock, "note": "Counted" });
    let response = crate::stock::move_stock(&admin, "rasam-powder", body).await;
    seen.check(&response, 409, "stock_changed", "");
    let response = admin.get("/api/admin/batches/none/recipients").await;
    seen.check(&response, 404, "batch_not_found", "");
    let product = ProductFixture {
        grams: 0,
        ..ProductFixture::new("codes-batch", "Codes Batch")
    };
    let product = shop.add_product(product).await;
    crate::batches::receive(&admin, product, "OLD", 45, 500).await;
    let again = json!({
        "productId": product, "number": "OLD", "bestBefore": crate::batches::day(90), "grams": 1,
    });
    let response = admin.post("/api/admin/batches", again).await;
    seen.check(&response, 409, "batch_number_taken", "number");
    let order = crate::stock::buy(&customer, product, 1, 0).await;
    crate::batch_packing::make_too_old(shop, product).await;
    let response = crate::stock::pack(&admin, &[order]).await;
    seen.check(&response, 409, "batch_too_old", "");
}
