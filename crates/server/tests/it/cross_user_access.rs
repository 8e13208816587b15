//! Access to data of another user: status and body are the same as for an id that does not exist, so that ids
//! cannot be probed.

use http::Method;
use mirasa_http::Access;
use serde_json::{Value, json};

use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine,
};
use crate::reviews::{customer_who_received, publish};

/// A customer with an address, an order and a payment, and the review of another one.
struct Owner {
    browser: TestClient,
    payment: PendingPayment,
    address: String,
    order: String,
    review: String,
}

async fn owner(shop: &TestShop, name: &'static str) -> Owner {
    let fixture = shop.add_product(ProductFixture::new(name, name)).await;
    let browser = shop.customer(name).await;
    let address = browser.home().await;
    browser.add(fixture, 1, 0).await;
    let payment = PendingPayment::from_response(&browser.check_out(&address).await);
    browser.submit_payment(&payment, "fail").await;
    let order = browser.settled_result(&payment).await["order"]["_id"].take();
    let reviewed: &'static str = format!("{name}-review").leak();
    let (reviewer, _) = customer_who_received(shop, reviewed).await;
    let review = publish(&reviewer, reviewed, 5, "").await.expect_ok();
    Owner {
        review: review["review"]["_id"].as_str().unwrap().to_owned(),
        browser,
        payment,
        address,
        order: order.as_str().unwrap().to_owned(),
    }
}

impl Owner {
    /// The owner's id for the parameter of this path; `None` if it is a product id. An unknown path fails the test,
    /// so that the author of a new route adds it here.
    fn id_for(&self, path: &str) -> Option<&str> {
        let addresses = ["/api/addresses/", "/api/user/addresses/"];
        if addresses.iter().any(|start| path.starts_with(start)) {
            return Some(&self.address);
        }
        if path.starts_with("/api/user/orders/") {
            return Some(&self.order);
        }
        if path.starts_with("/api/payment/order/db/") {
            return Some(&self.payment.number);
        }
        // Everyone may vote for a review.
        if path == "/api/user/reviews/{id}/helpful" {
            return None;
        }
        if path.starts_with("/api/user/reviews/") {
            return Some(&self.review);
        }
        let products = ["/api/cart/remove/", "/api/user/wishlist/"];
        assert!(
            products.iter().any(|start| path.starts_with(start)),
            "{path}: add what its id refers to"
        );
        None
    }
}

/// An id of the same format that does not exist.
fn unknown_id(id: &str) -> String {
    let other = |c: char| match c {
        '0'..='8' | 'a'..='e' | 'A'..='E' => char::from_u32(u32::from(c) + 1).unwrap(),
        same => same,
    };
    id.chars().map(other).collect()
}

async fn call(browser: &TestClient, method: &str, path: &str, id: &str) -> TestResponse {
    let (from, to) = (path.find('{').unwrap(), path.find('}').unwrap());
    let path = format!("{}{id}{}", &path[..from], &path[to + 1..]);
    let method: Method = method.parse().unwrap();
    let mut request = browser.request(method.clone(), &path);
    if method != Method::GET && method != Method::DELETE {
        request = request.json(&json!({
            "addressName": "Mine now", "name": "Thief", "phone": "9876543211", "addressLine1": "1 Lane",
            "city": "Pune", "state": "Maharashtra", "pincode": "411030",
        }));
    }
    browser.send(request).await
}

#[test]
fn resource_of_another_user_looks_like_an_unknown_id() {
    for_each_engine(async |shop| {
        let owner = owner(shop, "cross-user-owner").await;
        let other = shop.customer("cross-user-other").await;
        let before = owned_data(&owner.browser).await;
        let mut tried = 0;
        for route in mirasa_http::routes() {
            if route.access != Access::User || !route.path.contains('{') {
                continue;
            }
            let Some(id) = owner.id_for(route.path) else {
                continue;
            };
            let request = format!("{} {}", route.method, route.path);
            let foreign = call(&other, route.method, route.path, id).await;
            let unknown = call(&other, route.method, route.path, &unknown_id(id)).await;
            assert_eq!(foreign.status, 404, "{request}: {foreign:?}");
            assert_eq!(
                (foreign.status, &foreign.body),
                (unknown.status, &unknown.body),
                "{request}"
            );
            foreign.error_text();
            tried += 1;
        }
        assert_eq!(tried, 16, "routes with an id that a user owns");
        assert_eq!(owned_data(&owner.browser).await, before);

        let check_out = async |address: &str| {
            other.add("cross-user-owner", 1, 0).await;
            other.check_out(address).await
        };
        let foreign = check_out(&owner.address).await;
        let unknown = check_out(&unknown_id(&owner.address)).await;
        assert!(
            foreign.status >= 400,
            "checkout with another customer's address"
        );
        assert_eq!(
            (foreign.status, &foreign.body),
            (unknown.status, &unknown.body)
        );
    });
}

async fn owned_data(browser: &TestClient) -> [Value; 2] {
    [
        browser.get("/api/addresses").await.expect_ok(),
        browser.get("/api/user/orders").await.expect_ok(),
    ]
}

/// An admin sees all orders, but has no access to other users' data through the customer routes.
#[test]
fn admin_cannot_use_addresses_of_other_users() {
    for_each_engine(async |shop| {
        let owner = owner(shop, "cross-user-private").await;
        let admin = shop.admin().await;
        for path in [
            "/api/addresses/{id}",
            "/api/addresses/{id}/default",
            "/api/user/addresses/{id}",
        ] {
            let method = if path.ends_with("default") {
                "PATCH"
            } else {
                "DELETE"
            };
            let response = call(&admin, method, path, &owner.address).await;
            assert_eq!(response.status, 404, "{path}: {response:?}");
        }
        let saved = owner.browser.get("/api/addresses").await.expect_ok();
        assert_eq!(saved["addresses"][0]["_id"], owner.address.as_str());
    });
}
