//! What belongs to somebody else is as if it were not there: the same status and the same words as for
//! something that never was, so that nobody can find out which orders and addresses exist.

use http::Method;
use mirasa_http::Access;
use serde_json::{Value, json};

use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine,
};

/// Somebody with everything that a person can own in the shop, once under its true id and once under ids
/// that nobody has.
struct Owner {
    browser: TestClient,
    payment: PendingPayment,
    address: String,
    order: String,
}

async fn owner(shop: &TestShop, name: &'static str) -> Owner {
    let fixture = shop.add_product(ProductFixture::new(name, name)).await;
    let browser = shop.customer(name).await;
    let address = browser.home().await;
    browser.add(fixture, 1, 0).await;
    let payment = PendingPayment::from_response(&browser.check_out(&address).await);
    browser.submit_payment(&payment, "fail").await;
    let order = browser.settled_result(&payment).await["order"]["_id"].take();
    Owner {
        browser,
        payment,
        address,
        order: order.as_str().unwrap().to_owned(),
    }
}

impl Owner {
    /// The id that belongs into this path, where it is one that a person owns. A path that is not known
    /// here fails the test: whoever adds one says whose things it names.
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
        let products = ["/api/cart/remove/", "/api/user/wishlist/"];
        assert!(
            products.iter().any(|start| path.starts_with(start)),
            "whose is the thing that {path} names?"
        );
        None
    }
}

/// The same shape as a true id, so that only its owner tells the two apart.
fn like(id: &str) -> String {
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
fn somebody_elses_thing_answers_as_one_that_never_was() {
    for_each_engine(async |shop| {
        let owner = owner(shop, "strangers-owner").await;
        let other = shop.customer("strangers-stranger").await;
        let before = everything(&owner.browser).await;
        let mut tried = 0;
        for route in mirasa_http::routes() {
            if route.access != Access::User || !route.path.contains('{') {
                continue;
            }
            let Some(id) = owner.id_for(route.path) else {
                continue;
            };
            let place = format!("{} {}", route.method, route.path);
            let theirs = call(&other, route.method, route.path, id).await;
            let nobodys = call(&other, route.method, route.path, &like(id)).await;
            assert_eq!(theirs.status, 404, "{place}: {theirs:?}");
            assert_eq!(
                (theirs.status, &theirs.body),
                (nobodys.status, &nobodys.body),
                "{place}"
            );
            theirs.error_text();
            tried += 1;
        }
        assert_eq!(tried, 8, "calls that name what a person owns");
        assert_eq!(everything(&owner.browser).await, before);

        let check_out = async |address: &str| {
            other.add("strangers-owner", 1, 0).await;
            other.check_out(address).await
        };
        let theirs = check_out(&owner.address).await;
        let nobodys = check_out(&like(&owner.address)).await;
        assert!(theirs.status >= 400, "a parcel to a stranger's address");
        assert_eq!(
            (theirs.status, &theirs.body),
            (nobodys.status, &nobodys.body)
        );
    });
}

async fn everything(browser: &TestClient) -> [Value; 2] {
    [
        browser.get("/api/addresses").await.expect_ok(),
        browser.get("/api/user/orders").await.expect_ok(),
    ]
}

/// Whoever may see all orders still cannot tell a person's things from nothing by way of the person's calls.
#[test]
fn the_owner_of_the_shop_has_no_other_peoples_addresses_either() {
    for_each_engine(async |shop| {
        let owner = owner(shop, "strangers-private").await;
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
        let kept = owner.browser.get("/api/addresses").await.expect_ok();
        assert_eq!(kept["addresses"][0]["_id"], owner.address.as_str());
    });
}
