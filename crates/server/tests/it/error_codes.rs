//! The code and field of each error response. Clients depend on them, so they must match the documentation.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

use futures::FutureExt as _;
use http::Method;
use mirasa_app::ErrorCode;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;
use serde_json::json;

use crate::admin_orders::id_of;
use crate::harness::{
    PendingPayment, ProductFixture, TestResponse, TestShop, for_each_engine_fresh, now_ms, write_db,
};
use crate::{error_cases, error_fields};

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

/// The codes of the responses so far, and what was wrong. A failure does not hide later ones.
#[derive(Default)]
pub struct Seen {
    codes: RefCell<BTreeSet<String>>,
    failures: RefCell<Vec<String>>,
}

impl Seen {
    /// `field` is empty if the error names no field.
    #[track_caller]
    pub fn check(&self, response: &TestResponse, status: u16, code: &str, field: &str) {
        let place = Location::caller();
        let check = AssertUnwindSafe(|| response.expect_code(status, code, field));
        if catch_unwind(check).is_ok() {
            self.codes.borrow_mut().insert(code.to_owned());
        } else {
            let failure = format!("{place}: not {status} {code} {field:?}: {response:?}");
            self.failures.borrow_mut().push(failure);
        }
    }

    /// The rest of a scenario is skipped when it cannot go on; the next ones run.
    async fn run(&self, scenario: &str, run: impl Future<Output = ()>) {
        if AssertUnwindSafe(run).catch_unwind().await.is_err() {
            let failure = format!("{scenario} ended early");
            self.failures.borrow_mut().push(failure);
        }
    }
}

#[test]
fn every_error_has_its_code_and_field() {
    for_each_engine_fresh(
        |config| config.max_packs_per_order = 5,
        async |shop| {
            let seen = Seen::default();
            macro_rules! run {
                ($($scenario:path,)+) => {
                    $(seen.run(stringify!($scenario), $scenario(shop, &seen)).await;)+
                };
            }
            run!(
                error_fields::bodies,
                error_fields::queries,
                error_fields::admin_forms,
                error_fields::images,
                access,
                missing_things,
                full_lists,
                cart_rules,
                conflicts,
                checkouts,
                error_cases::after_the_sale,
                error_cases::reviews,
                error_cases::replaced_checkout,
                error_cases::unpaid_orders,
                error_cases::discounts,
                error_cases::stock,
                // Breaks the shop.
                missing_table,
            );
            let failures = seen.failures.take();
            assert!(failures.is_empty(), "{}", failures.join("\n"));

            let codes = seen.codes.borrow();
            let all = ErrorCode::ALL.iter().map(|code| code.as_str().to_owned());
            let unseen: Vec<_> = all.filter(|code| !codes.contains(code)).collect();
            let mut unseen: Vec<_> = unseen.iter().map(String::as_str).collect();
            unseen.sort_unstable();
            assert_eq!(unseen, TESTED_ELSEWHERE, "codes that no request returned");
        },
    );
}

async fn missing_table(shop: &TestShop, seen: &Seen) {
    let customer = shop.customer("codes-internal").await;
    shop.sql("drop table wishes").await;
    let broken = customer.get("/api/user/wishlist").await;
    seen.check(&broken, 500, "internal", "");
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
