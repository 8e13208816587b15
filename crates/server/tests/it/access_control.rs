//! Access control: every route is called by every kind of user. A route without a line in the table below
//! fails the test, so that the author of a new route states its access level a second time.

use http::Method;
use serde_json::json;

use crate::harness::{TestClient, TestShop, for_each_engine};

const EXPECTED_ACCESS: &str = "
    POST   /api/cart/add-to-cart                 user
    GET    /api/cart/cart                        user
    PUT    /api/cart/update                      user
    DELETE /api/cart/remove/{productId}          user
    DELETE /api/cart/api/cart/clear              user
    GET    /api/auth/check-auth                  anyone
    GET    /api/userinfo                         user
    GET    /api/auth/google/login                anyone
    GET    /api/auth/google/callback             anyone
    GET    /api/auth/logout                      anyone
    POST   /api/auth/logout-everywhere           user
    GET    /api/products/api/trending            anyone
    GET    /api/products/api/productInfo         anyone
    GET    /api/products/api/productInfo/{id}    anyone
    GET    /api/products/api/related/{id}        anyone
    GET    /api/products/api/filters             anyone
    GET    /api/products/api/suggestions         anyone
    GET    /api/products                         anyone
    GET    /api/products/{id}                    anyone
    GET    /api/api/products/search              anyone
    POST   /api/products/{id}/notify             anyone
    POST   /api/products/{id}/opened             anyone
    POST   /api/stock-notices/stop               anyone
    GET    /api/shop                             anyone
    POST   /api/api/queries                      anyone
    GET    /api/pincode/{pincode}                anyone
    GET    /api/addresses                        user
    POST   /api/addresses                        user
    PUT    /api/addresses/{id}                   user
    DELETE /api/addresses/{id}                   user
    PATCH  /api/addresses/{id}/default           user
    GET    /api/user/addresses                   user
    POST   /api/user/addresses                   user
    PUT    /api/user/addresses/{id}              user
    DELETE /api/user/addresses/{id}              user
    GET    /api/user/profile                     user
    PUT    /api/user/profile                     user
    PUT    /api/user/profile-picture             user
    GET    /api/user/export                      user
    DELETE /api/user                             user
    GET    /api/user/wishlist                    user
    POST   /api/user/wishlist/{id}               user
    DELETE /api/user/wishlist/{id}               user
    POST   /api/user/wishlist/move-to-cart/{id}  user
    POST   /api/cart/checkout                    user
    PUT    /api/cart/discount                    user
    DELETE /api/cart/discount                    user
    GET    /api/payment/order/db/{merchantOrderId}  user
    POST   /api/payment/webhook/{provider}       anyone
    POST   /api/courier/webhook                  anyone
    GET    /api/user/orders                      user
    GET    /api/user/orders/{id}                 user
    GET    /api/user/orders/{id}/invoice.pdf     user
    GET    /api/user/orders/{id}/credit-notes/{file}  user
    POST   /api/user/orders/{id}/pay-again       user
    POST   /api/user/orders/{id}/cancel          user
    POST   /api/user/orders/{id}/buy-again       user
    POST   /api/user/orders/{id}/problems        user
    GET    /api/user/orders/{id}/problem-images/{file}  user
    GET    /api/products/{id}/reviews            anyone
    GET    /api/user/reviews                     user
    POST   /api/user/reviews                     user
    PUT    /api/user/reviews/{id}                user
    DELETE /api/user/reviews/{id}                user
    PUT    /api/user/reviews/{id}/helpful        user
    GET    /api/review-requests                  anyone
    POST   /api/review-requests/stop             anyone
    GET    /images/reviews/{file}                anyone
    GET    /api/admin/reviews                           admin
    PUT    /api/admin/reviews/{id}                      admin
    GET    /api/admin/reviews/{id}/images/{file}        admin
    GET    /api/admin/products                          admin
    GET    /api/admin/products/{id}                     admin
    POST   /api/admin/addProduct                        admin
    PUT    /api/admin/updateProduct/{id}                admin
    DELETE /api/admin/deleteProduct/{id}                admin
    PUT    /api/admin/products/{id}/trending-rank       admin
    PUT    /api/admin/products/{id}/toggle-visibility   admin
    GET    /api/admin/discounts                         admin
    POST   /api/admin/discounts                         admin
    PUT    /api/admin/discounts/{id}                    admin
    GET    /api/admin/orders                            admin
    GET    /api/admin/orders/export.csv                 admin
    PUT    /api/admin/orders/{id}/status                admin
    PUT    /api/admin/orders/packed                     admin
    PUT    /api/admin/orders/{id}/cancellation          admin
    GET    /api/admin/orders/{id}/invoice.pdf           admin
    GET    /api/admin/orders/{id}/credit-notes/{file}   admin
    GET    /api/admin/packing.pdf                       admin
    GET    /api/admin/invoices                          admin
    GET    /api/admin/invoices/export.csv               admin
    GET    /api/admin/gstr1/{file}                      admin
    DELETE /api/admin/orders/{id}                       admin
    PUT    /api/admin/orders/{id}/restore               admin
    POST   /api/admin/orders/{id}/refunds               admin
    POST   /api/admin/refunds/{id}/retry                admin
    GET    /api/admin/shipments                         admin
    POST   /api/admin/shipments                         admin
    POST   /api/admin/shipments/{id}/cancel             admin
    POST   /api/admin/shipments/{id}/retry              admin
    GET    /api/admin/pack-and-ship                     admin
    POST   /api/admin/pack-and-ship                     admin
    GET    /api/admin/pack-and-ship/costs               admin
    GET    /api/admin/pack-and-ship/papers.pdf          admin
    GET    /api/admin/labels.pdf                        admin
    GET    /api/admin/manifest.pdf                      admin
    GET    /api/admin/orders/{id}/couriers              admin
    PUT    /api/admin/orders/{id}/tracking              admin
    GET    /api/admin/problems                          admin
    PUT    /api/admin/problems/{id}                     admin
    GET    /api/admin/reserved-stock                    admin
    POST   /api/admin/orders/{id}/release               admin
    GET    /api/admin/concerns                          admin
    PUT    /api/admin/concerns/{id}/settle              admin
    POST   /api/admin/upload-images                     admin
    GET    /api/admin/products/export.csv               admin
    POST   /api/admin/products/import                   admin
    GET    /api/admin/users                             admin
    PUT    /api/admin/users/{id}                        admin
    DELETE /api/admin/users/{id}                        admin
    GET    /api/admin/messages                          admin
    GET    /api/admin/messages/{id}                     admin
    PUT    /api/admin/messages/{id}                     admin
    POST   /api/admin/messages/{id}/reply               admin
    GET    /api/admin/audit                             admin
    GET    /api/admin/overview                          admin
    GET    /api/admin/to-do                             admin
    GET    /api/admin/failed-emails                     admin
    GET    /api/admin/stock                             admin
    GET    /api/admin/stock/{productId}/movements       admin
    POST   /api/admin/stock/{productId}/movements       admin
    POST   /api/admin/stock/deliveries                  admin
    GET    /api/admin/batches                           admin
    POST   /api/admin/batches                           admin
    GET    /api/admin/batches/{id}/recipients           admin
    GET    /api/admin/batches/{id}/recipients.csv       admin
    GET    /api/admin/customers                         admin
    GET    /api/admin/customers/{id}                    admin
    GET    /api/admin/messages/{id}/sender              admin
    GET    /api/admin/orders/{id}                       admin
    POST   /api/admin/orders/{id}/notes                 admin
    PUT    /api/admin/orders/{id}/address               admin
    GET    /api/admin/search                            admin
    GET    /images/{folder}/{file}               anyone
";

struct Line {
    method: &'static str,
    path: &'static str,
    access: &'static str,
}

fn table() -> Vec<Line> {
    let lines = EXPECTED_ACCESS
        .lines()
        .filter(|line| !line.trim().is_empty());
    let parsed = lines.map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [method, path, access] = words[..] else {
            panic!("{line:?} is not a method, a path and an access level")
        };
        Line {
            method,
            path,
            access,
        }
    });
    parsed.collect()
}

#[test]
fn table_and_route_list_name_the_same_routes() {
    let mut expected: Vec<_> = table()
        .iter()
        .map(|line| format!("{} {} {}", line.method, line.path, line.access))
        .collect();
    let mut listed: Vec<_> = mirasa_http::routes()
        .iter()
        .filter(|route| route.documented)
        .map(|route| format!("{} {} {}", route.method, route.path, route.access.as_str()))
        .collect();
    expected.sort();
    listed.sort();
    assert_eq!(
        listed,
        expected,
        "left: the route list; right: the table in {}",
        file!()
    );
}

/// These responses contain no user data. `/metrics` is protected by its own token.
#[test]
fn undocumented_routes_are_public_and_read_only() {
    let routes = mirasa_http::routes();
    let undocumented = routes.iter().filter(|route| !route.documented);
    let listed: Vec<_> = undocumented
        .map(|route| (route.method, route.path, route.access.as_str()))
        .collect();
    let expected = [
        "/api/openapi.json",
        "/api/docs",
        "/sitemap.xml",
        "/feeds/google.xml",
        "/robots.txt",
        "/healthz",
        "/readyz",
        "/metrics",
    ];
    assert_eq!(listed, expected.map(|path| ("GET", path, "anyone")));
}

#[test]
fn every_openapi_operation_is_in_the_table() {
    let description = serde_json::to_value(mirasa_http::openapi()).unwrap();
    let table = table();
    let mut operations = 0;
    for (path, item) in description["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            operations += 1;
            let method = method.to_uppercase();
            let has_line = |line: &Line| line.method == method && line.path == path;
            assert!(
                table.iter().any(has_line),
                "{method} {path} is missing in the table of {}",
                file!()
            );
        }
    }
    assert_eq!(operations, table.len());
}

/// Calls the route with an empty body and unknown ids: only 401 and 403 matter here.
async fn call(browser: &TestClient, line: &Line) -> u16 {
    let mut path = line.path.to_owned();
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "no-such-id");
    }
    let method: Method = line.method.parse().unwrap();
    let mut request = browser.request(method.clone(), &path);
    if matches!(method, Method::POST | Method::PUT | Method::PATCH) {
        request = request.json(&json!({}));
    }
    let response = browser.send(request).await;
    if matches!(response.status, 401 | 403) {
        response.error_text();
    }
    response.status
}

/// The role that the server must see in a request.
#[derive(Clone, Copy)]
enum Role {
    Visitor,
    Customer,
    Admin,
}

impl Role {
    /// The status with which this request must be rejected; `None` if it is allowed.
    fn expected_rejection(self, line: &Line) -> Option<u16> {
        match (self, line.access) {
            // A key of its own protects it, not a session.
            _ if line.path == "/api/courier/webhook" => Some(401),
            (_, "anyone") | (Role::Admin, _) | (Role::Customer, "user") => None,
            (Role::Visitor, _) => Some(401),
            (Role::Customer, _) => Some(403),
        }
    }
}

struct Actor {
    kind: &'static str,
    role: Role,
    browser: TestClient,
}

/// One client for each kind of valid and invalid session.
async fn actors(shop: &TestShop, round: usize) -> Vec<Actor> {
    let name_of = |kind: &str| format!("access-{round}-{kind}");
    let id_of = async |browser: &TestClient| {
        let user = browser.get("/api/userinfo").await.expect_ok();
        user["user"]["_id"].as_str().unwrap().to_owned()
    };
    let promoted = async |kind: &str| {
        let browser = shop.customer(&name_of(kind)).await;
        let email = TestShop::email(&name_of(kind));
        let promote = format!("update users set role = 'admin' where email = '{email}'");
        assert_eq!(shop.sql(&promote).await, 1);
        browser
    };
    let admin = promoted("admin").await;

    let garbage = shop.visitor();
    garbage.set_cookie("mirasa_session", "' or 1=1 --");

    let expired = shop.customer(&name_of("expired")).await;
    let email = TestShop::email(&name_of("expired"));
    let expire = format!(
        "update sessions set expires_at = 1 where user_id in
         (select id from users where email = '{email}')"
    );
    assert_eq!(shop.sql(&expire).await, 1);

    let deleted = promoted("deleted").await;
    let path = format!("/api/admin/users/{}", id_of(&deleted).await);
    admin.delete(&path).await.expect_ok();

    let erased = shop.customer(&name_of("erased")).await;
    let session = erased.session().unwrap();
    erased.delete("/api/user").await.expect_ok();
    erased.set_cookie("mirasa_session", &session);

    let demoted = promoted("demoted").await;
    assert_eq!(demoted.get("/api/admin/users").await.status, 200);
    let path = format!("/api/admin/users/{}", id_of(&demoted).await);
    admin
        .put(&path, json!({ "role": "customer" }))
        .await
        .expect_ok();

    let signed_out = shop.customer(&name_of("signed-out")).await;
    let session = signed_out.session().unwrap();
    signed_out.get("/api/auth/logout").await;
    signed_out.set_cookie("mirasa_session", &session);

    let customer = shop.customer(&name_of("customer")).await;
    let other = shop.customer(&name_of("other-customer")).await;
    let actor = |kind, role, browser| Actor {
        kind,
        role,
        browser,
    };
    vec![
        actor("a visitor", Role::Visitor, shop.visitor()),
        actor("a garbage cookie", Role::Visitor, garbage),
        actor("an expired session", Role::Visitor, expired),
        actor("a deleted admin's session", Role::Visitor, deleted),
        actor("an erased user's session", Role::Visitor, erased),
        actor("a signed-out session", Role::Visitor, signed_out),
        actor("a demoted admin's session", Role::Customer, demoted),
        actor("a customer", Role::Customer, customer),
        actor("another customer", Role::Customer, other),
        actor("an admin", Role::Admin, admin),
    ]
}

#[test]
fn each_role_may_call_exactly_its_routes() {
    for_each_engine(async |shop| {
        let (mut round, mut requests) = (0, 0);
        let mut all_actors = actors(shop, round).await;
        let table = table();
        for line in &table {
            for Actor {
                kind,
                role,
                browser,
            } in &all_actors
            {
                // Keep the invalid session cookie, which the response would delete.
                let cookies = browser.cookies.lock().unwrap().clone();
                let status = call(browser, line).await;
                *browser.cookies.lock().unwrap() = cookies;
                let rejection = matches!(status, 401 | 403).then_some(status);
                let request = format!("{} {} by {kind}", line.method, line.path);
                assert_eq!(rejection, role.expected_rejection(line), "{request}");
                assert!(status < 500, "{request}: {status}");
                requests += 1;
            }
            // These routes end the sessions that the next requests need.
            if line.path.contains("logout") || line.path == "/api/user" {
                round += 1;
                all_actors = actors(shop, round).await;
            }
        }
        assert_eq!(requests, table.len() * all_actors.len());
        eprintln!(
            "{} operations x {} actors: {requests} requests",
            table.len(),
            all_actors.len()
        );
    });
}

#[test]
fn session_of_a_deleted_user_is_invalid() {
    for_each_engine(async |shop| {
        let browser = shop.customer("access-deleted").await;
        assert!(browser.is_signed_in().await);
        let changed = shop
            .sql("update users set deleted_at = 1 where email = 'access-deleted@it.example'")
            .await;
        assert_eq!(changed, 1);
        assert!(!browser.is_signed_in().await);
        browser
            .get("/api/cart/cart")
            .await
            .expect_error(401, "not authenticated");

        // Signing in again creates a new account.
        browser.sign_in(&TestShop::email("access-deleted")).await;
        assert!(browser.is_signed_in().await);
    });
}

#[test]
fn session_cookie_is_found_among_others_and_invalid_values_are_ignored() {
    for_each_engine(async |shop| {
        let customer = shop.customer("access-cookies").await;
        customer.set_cookie("aaa", "1");
        customer.set_cookie("zzz", "mirasa_session=x");
        assert!(customer.is_signed_in().await);
        for value in ["", "x", &"x".repeat(4000), "%00", "a=b=c", "\"quoted\""] {
            customer.set_cookie("mirasa_session", value);
            assert!(!customer.is_signed_in().await, "{value}");
        }
    });
}
