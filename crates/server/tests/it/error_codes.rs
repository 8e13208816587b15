//! The code and field of each error response. Clients depend on them, so they must match the documentation.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use http::Method;
use mirasa_app::ErrorCode;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;
use serde_json::json;

use crate::admin_orders::{customer_with_orders, id_of};
use crate::error_fields;
use crate::harness::{
    PendingPayment, ProductFixture, TestResponse, TestShop, eventually, for_each_engine_fresh,
    now_ms, write_db,
};
use crate::reviews::{customer_who_received, publish};

/// Codes that other tests assert. They need another configuration, a broken database or a slow client.
const TESTED_ELSEWHERE: [&str; 10] = [
    "busy",                // crates/http/src/error/mod.rs
    "label_not_ready",     // shipment_faults.rs
    "no_delivery_partner", // shipments.rs
    "order_changed",       // stale_pages.rs
    "order_not_paid",      // order_endings.rs
    "order_not_shippable", // shipments.rs
    "order_refunded",      // order_endings.rs
    "rate_limited",        // rate_limits.rs
    "request_timeout",     // overload.rs
    "unavailable",         // errors.rs
];

/// The codes of the responses so far.
#[derive(Default)]
pub struct Seen(RefCell<BTreeSet<String>>);

impl Seen {
    /// `field` is empty if the error names no field.
    #[track_caller]
    pub fn check(&self, response: &TestResponse, status: u16, code: &str, field: &str) {
        response.expect_code(status, code, field);
        self.0.borrow_mut().insert(code.to_owned());
    }
}

#[test]
fn every_error_has_its_code_and_field() {
    for_each_engine_fresh(
        |config| config.max_packs_per_order = 5,
        async |shop| {
            let seen = Seen::default();
            error_fields::bodies(shop, &seen).await;
            error_fields::queries(shop, &seen).await;
            error_fields::admin_forms(shop, &seen).await;
            error_fields::images(shop, &seen).await;
            access(shop, &seen).await;
            missing_things(shop, &seen).await;
            full_lists(shop, &seen).await;
            cart_rules(shop, &seen).await;
            conflicts(shop, &seen).await;
            checkouts(shop, &seen).await;
            after_the_sale(shop, &seen).await;
            reviews(shop, &seen).await;
            replaced_checkout(shop, &seen).await;
            unpaid_orders(shop, &seen).await;
            discounts(shop, &seen).await;
            stock(shop, &seen).await;

            let customer = shop.customer("codes-internal").await;
            shop.sql("drop table wishes").await;
            let broken = customer.get("/api/user/wishlist").await;
            seen.check(&broken, 500, "internal", "");

            let all = ErrorCode::ALL.iter().map(|code| code.as_str().to_owned());
            let unseen: Vec<_> = all.filter(|code| !seen.0.borrow().contains(code)).collect();
            let mut unseen: Vec<_> = unseen.iter().map(String::as_str).collect();
            unseen.sort_unstable();
            assert_eq!(unseen, TESTED_ELSEWHERE, "codes that no request returned");
        },
    );
}

async fn access(shop: &TestShop, seen: &Seen) {
    let (visitor, customer) = (shop.visitor(), shop.customer("codes-access").await);
    for path in ["/api/cart/cart", "/api/admin/users", "/metrics"] {
        seen.check(&visitor.get(path).await, 401, "unauthorized", "");
    }
    let response = customer.get("/api/admin/users").await;
    seen.check(&response, 403, "admin_required", "");
    let foreign = customer.request(Method::DELETE, "/api/cart/api/cart/clear");
    let foreign = foreign.header("sec-fetch-site", "cross-site");
    seen.check(&customer.send(foreign).await, 403, "cross_site_request", "");
    let remote = visitor.request(Method::GET, "/sandbox/mail");
    let remote = remote.header("x-forwarded-for", "203.0.113.9");
    seen.check(&visitor.send(remote).await, 403, "forbidden", "");
    let wrong = visitor.request(Method::POST, "/api/cart/cart");
    seen.check(&visitor.send(wrong).await, 405, "method_not_allowed", "");
    let page = visitor.request(Method::POST, "/products");
    seen.check(&visitor.send(page).await, 405, "method_not_allowed", "");
}

async fn missing_things(shop: &TestShop, seen: &Seen) {
    let (admin, customer) = (shop.admin().await, shop.customer("codes-missing").await);
    for (path, code) in [
        ("/api/nothing", "not_found"),
        ("/assets/none.js", "not_found"),
        ("/api/products/none", "product_not_found"),
        ("/api/products/api/related/none", "product_not_found"),
        ("/api/user/orders/none", "order_not_found"),
        ("/api/payment/order/db/none", "order_not_found"),
    ] {
        seen.check(&customer.get(path).await, 404, code, "");
    }
    let response = admin.get("/api/admin/messages/none").await;
    seen.check(&response, 404, "message_not_found", "");
    for (path, code) in [
        ("/api/user/wishlist/none", "product_not_found"),
        ("/api/payment/webhook/unknown", "not_found"),
    ] {
        seen.check(&customer.post(path, json!({})).await, 404, code, "");
    }
    let response = customer.delete("/api/addresses/none").await;
    seen.check(&response, 404, "address_not_found", "");
    let response = customer.check_out("none").await;
    seen.check(&response, 404, "address_not_found", "");
    for (path, code) in [
        ("users/none", "user_not_found"),
        ("orders/none", "order_not_found"),
        ("deleteProduct/none", "product_not_found"),
    ] {
        let response = admin.delete(&format!("/api/admin/{path}")).await;
        seen.check(&response, 404, code, "");
    }
}

async fn full_lists(shop: &TestShop, seen: &Seen) {
    let customer = shop.customer("codes-full").await;
    let user = UserId(id_of(&customer).await);
    let details = Arc::new(ProductFixture::new("", "Filler").product_details());
    let filler = move |number: usize| Product {
        id: ProductId(format!("filler-{number}")),
        details: details.clone(),
        stock: Stock::default(),
        is_visible: false,
        trending_rank: None,
        version: 1,
        updated_at_ms: 0,
        too_old_grams: 0,
        rating: Default::default(),
    };
    let packs = Packs {
        of_50g: 1,
        of_100g: 0,
    };
    write_db!(shop, tx => for number in 0..500 {
        let product = filler(number);
        let id = &product.id;
        tx.insert_product(&product, &format!("filler-{number}"), now_ms()).await?;
        tx.add_to_wishlist(&user, id, now_ms()).await?;
        if number < 100 {
            tx.upsert_cart_line(&user, id, packs, Prices::default(), now_ms()).await?;
        }
    });
    let body = json!({ "productId": "goda-masala", "qty_50g": 1 });
    let response = customer.post("/api/cart/add-to-cart", body).await;
    seen.check(&response, 400, "cart_full", "");
    let response = customer.post("/api/user/wishlist/goda-masala", json!({}));
    seen.check(&response.await, 400, "wishlist_full", "");
    for _ in 0..49 {
        customer.home().await;
    }
    let address = json!({
        "addressName": "Home", "name": "Asha", "phone": "9876543210", "addressLine1": "12 Laxmi Road",
        "city": "Pune", "state": "Maharashtra", "pincode": "411030",
    });
    assert_eq!(
        customer
            .post("/api/addresses", address.clone())
            .await
            .status,
        201
    );
    let response = customer.post("/api/addresses", address).await;
    seen.check(&response, 400, "address_book_full", "");
}

async fn cart_rules(shop: &TestShop, seen: &Seen) {
    let customer = shop.customer("codes-cart").await;
    let home = customer.home().await;
    let add = async |product: &str, of_50g: u32, of_100g: u32| {
        let body = json!({ "productId": product, "qty_50g": of_50g, "qty_100g": of_100g });
        customer.post("/api/cart/add-to-cart", body).await
    };
    seen.check(&customer.check_out(&home).await, 400, "cart_empty", "");
    let response = add("chai-masala", 0, 1).await;
    seen.check(&response, 400, "pack_size_not_sold", "");
    let response = add("goda-masala", 501, 0).await;
    seen.check(&response, 409, "insufficient_stock", "");
    seen.check(&add("none", 1, 0).await, 404, "product_not_found", "");
    seen.check(
        &add("hidden-masala", 1, 0).await,
        404,
        "product_not_found",
        "",
    );
    let update = json!({ "productId": "goda-masala", "qty_50g": 1, "qty_100g": 0, "version": 999 });
    let response = customer.put("/api/cart/update", update).await;
    seen.check(&response, 409, "cart_changed", "");
    add("goda-masala", 6, 0).await.expect_ok();
    let response = customer.check_out(&home).await;
    seen.check(&response, 400, "pack_limit_exceeded", "");
}

async fn conflicts(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    let path = "/api/admin/updateProduct/goda-masala";
    let response = admin.put(path, json!({ "version": 999 })).await;
    seen.check(&response, 409, "product_changed", "");
    let response = admin.put(path, json!({ "stock_change": -999_999 })).await;
    seen.check(&response, 409, "insufficient_stock", "");
    let me = format!("/api/admin/users/{}", id_of(&admin).await);
    seen.check(&admin.delete(&me).await, 409, "last_admin", "");
    let message = json!({ "name": "Asha", "email": "by phone", "message": "Hello" });
    admin.post("/api/api/queries", message).await.expect_ok();
    let listed = admin.get("/api/admin/messages").await.expect_ok();
    let id = listed["messages"][0]["_id"].as_str().unwrap();
    let reply = format!("/api/admin/messages/{id}/reply");
    let response = admin.post(&reply, json!({ "text": "Hello" })).await;
    seen.check(&response, 409, "no_reply_address", "");
}

async fn checkouts(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    let customer = shop.customer("codes-checkout").await;
    let home = customer.home().await;
    let clear = "/api/cart/api/cart/clear";
    let cheap = ProductFixture {
        mrp: &[50],
        ..ProductFixture::new("codes-cheap", "Cheap")
    };
    customer.add(shop.add_product(cheap).await, 1, 0).await;
    let response = customer.check_out(&home).await;
    seen.check(&response, 400, "order_total_too_low", "");
    customer.delete(clear).await.expect_ok();

    let hidden_later = ProductFixture::new("codes-hidden-later", "Hidden Later");
    customer
        .add(shop.add_product(hidden_later).await, 1, 0)
        .await;
    let hide = "/api/admin/products/codes-hidden-later/toggle-visibility";
    admin
        .send(admin.request(Method::PUT, hide))
        .await
        .expect_ok();
    let response = customer.check_out(&home).await;
    seen.check(&response, 409, "product_unavailable", "");
    customer.delete(clear).await.expect_ok();

    customer.add("goda-masala", 1, 0).await;
    let body = json!({ "addressId": home, "expectedTotal": 1 });
    let response = customer.check_out_with_key("total", body).await;
    seen.check(&response, 409, "total_changed", "");

    shop.inject_faults(json!({ "errors": 2, "calls": ["pay"] }))
        .await;
    let response = customer.check_out(&home).await;
    seen.check(&response, 503, "payment_not_started", "");

    let body = json!({ "addressId": home });
    let payment = PendingPayment::from_response(&customer.check_out_with_key("k", body).await);
    let other = json!({ "addressId": home, "expectedTotal": 65.5 });
    let response = customer.check_out_with_key("k", other).await;
    seen.check(&response, 422, "idempotency_key_reused", "");
    let order = shop.order_of(&payment).await.id;
    let again = format!("/api/user/orders/{order}/pay-again");
    let response = customer.post(&again, json!({})).await;
    seen.check(&response, 409, "order_not_payable", "");
    let release = format!("/api/admin/orders/{order}/release");
    admin.post(&release, json!({})).await.expect_ok();
    let response = admin.post(&release, json!({})).await;
    seen.check(&response, 409, "conflict", "");
}

async fn after_the_sale(shop: &TestShop, seen: &Seen) {
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
        crate::problems::report(&customer, first, "Torn", lines, vec![]).await
    };
    seen.check(&report().await, 409, "order_not_delivered", "");
    let path = format!("/api/admin/orders/{first}/status");
    let delivered = json!({ "orderStatus": "delivered" });
    admin.put(&path, delivered).await.expect_ok();
    seen.check(&cancel(first).await, 409, "order_not_cancellable", "");
    let packed = crate::invoices::pack(&admin, &[first]).await;
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
    seen.check(&cancel(second).await, 409, "cancellation_period_over", "");
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

async fn reviews(shop: &TestShop, seen: &Seen) {
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
async fn replaced_checkout(shop: &TestShop, seen: &Seen) {
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

async fn unpaid_orders(shop: &TestShop, seen: &Seen) {
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

async fn discounts(shop: &TestShop, seen: &Seen) {
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

async fn stock(shop: &TestShop, seen: &Seen) {
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
