//! Nobody forgets the door: every call of the route list is tried by everybody. A call without a line
//! in the table below fails the test, so that whoever adds one says here, once more, who may make it.

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
    GET    /api/products                         anyone
    GET    /api/products/{id}                    anyone
    GET    /api/api/products/search              anyone
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
    GET    /api/payment/order/db/{merchantOrderId}  user
    POST   /api/payment/webhook/{provider}       anyone
    GET    /api/user/orders                      user
    GET    /api/user/orders/{id}                 user
    POST   /api/user/orders/{id}/pay-again       user
    GET    /api/admin/products                          admin
    POST   /api/admin/addProduct                        admin
    PUT    /api/admin/updateProduct/{id}                admin
    DELETE /api/admin/deleteProduct/{id}                admin
    PUT    /api/admin/products/{id}/trending-rank       admin
    PUT    /api/admin/products/{id}/toggle-visibility   admin
    GET    /api/admin/orders                            admin
    GET    /api/admin/orders/export.csv                 admin
    PUT    /api/admin/orders/{id}/status                admin
    DELETE /api/admin/orders/{id}                       admin
    GET    /api/admin/reserved-stock                    admin
    POST   /api/admin/orders/{id}/release               admin
    GET    /api/admin/concerns                          admin
    PUT    /api/admin/concerns/{id}/settle              admin
    POST   /api/admin/upload-images                     admin
    GET    /api/admin/users                             admin
    PUT    /api/admin/users/{id}                        admin
    DELETE /api/admin/users/{id}                        admin
    GET    /api/admin/audit                             admin
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
            panic!("{line:?} is not a method, a path and who may")
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
fn every_call_of_the_route_list_has_its_line_and_every_line_its_call() {
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
        "the route list, and the table in {}",
        file!()
    );
}

/// They reveal nothing of the shop's users. `/metrics` has a token of its own.
#[test]
fn routes_outside_the_description_are_public_reads() {
    let routes = mirasa_http::routes();
    let undocumented = routes.iter().filter(|route| !route.documented);
    let listed: Vec<_> = undocumented
        .map(|route| (route.method, route.path, route.access.as_str()))
        .collect();
    let expected = [
        "/api/openapi.json",
        "/api/docs",
        "/sitemap.xml",
        "/robots.txt",
        "/healthz",
        "/readyz",
        "/metrics",
    ];
    assert_eq!(listed, expected.map(|path| ("GET", path, "anyone")));
}

#[test]
fn every_operation_of_the_description_has_its_line() {
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
                "{method} {path} is in no line of {}",
                file!()
            );
        }
    }
    assert_eq!(operations, table.len());
}

/// Makes the call with nothing but the right to make it: what it says beyond 401 and 403 is no matter.
async fn call(browser: &TestClient, line: &Line) -> u16 {
    let mut path = line.path.to_owned();
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "nothing-of-the-kind");
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

/// Whom the shop takes somebody for.
#[derive(Clone, Copy)]
enum Standing {
    Nobody,
    Shopper,
    Admin,
}

impl Standing {
    /// How the call must be refused, if it must.
    fn refusal(self, line: &Line) -> Option<u16> {
        match (self, line.access) {
            (_, "anyone") | (Standing::Admin, _) | (Standing::Shopper, "user") => None,
            (Standing::Nobody, _) => Some(401),
            (Standing::Shopper, _) => Some(403),
        }
    }
}

struct Person {
    who: &'static str,
    standing: Standing,
    browser: TestClient,
}

/// Everybody who may stand at a door, each with a session of their own, whatever it is worth by now.
async fn everybody(shop: &TestShop, round: usize) -> Vec<Person> {
    let named = |who: &str| format!("doors-{round}-{who}");
    let id_of = async |browser: &TestClient| {
        let user = browser.get("/api/userinfo").await.expect_ok();
        user["user"]["_id"].as_str().unwrap().to_owned()
    };
    let promoted = async |who: &str| {
        let browser = shop.customer(&named(who)).await;
        let email = TestShop::email(&named(who));
        let promote = format!("update users set role = 'admin' where email = '{email}'");
        assert_eq!(shop.sql(&promote).await, 1);
        browser
    };
    let admin = promoted("admin").await;

    let garbage = shop.visitor();
    garbage.set_cookie("mirasa_session", "' or 1=1 --");

    let expired = shop.customer(&named("expired")).await;
    let email = TestShop::email(&named("expired"));
    let expire = format!(
        "update sessions set expires_at = 1 where user_id in
         (select id from users where email = '{email}')"
    );
    assert_eq!(shop.sql(&expire).await, 1);

    let deleted = promoted("deleted").await;
    let path = format!("/api/admin/users/{}", id_of(&deleted).await);
    admin.delete(&path).await.expect_ok();

    let forgotten = shop.customer(&named("forgotten")).await;
    let session = forgotten.session().unwrap();
    forgotten.delete("/api/user").await.expect_ok();
    forgotten.set_cookie("mirasa_session", &session);

    let demoted = promoted("demoted").await;
    assert_eq!(demoted.get("/api/admin/users").await.status, 200);
    let path = format!("/api/admin/users/{}", id_of(&demoted).await);
    admin
        .put(&path, json!({ "role": "customer" }))
        .await
        .expect_ok();

    let signed_out = shop.customer(&named("signed-out")).await;
    let session = signed_out.session().unwrap();
    signed_out.get("/api/auth/logout").await;
    signed_out.set_cookie("mirasa_session", &session);

    let customer = shop.customer(&named("shopper")).await;
    let other = shop.customer(&named("other-shopper")).await;
    let person = |who, standing, browser| Person {
        who,
        standing,
        browser,
    };
    vec![
        person("a visitor", Standing::Nobody, shop.visitor()),
        person("a garbage cookie", Standing::Nobody, garbage),
        person("an expired session", Standing::Nobody, expired),
        person("a deleted admin's session", Standing::Nobody, deleted),
        person("a forgotten person's session", Standing::Nobody, forgotten),
        person("a session signed out", Standing::Nobody, signed_out),
        person("a demoted admin's session", Standing::Shopper, demoted),
        person("a shopper", Standing::Shopper, customer),
        person("another shopper", Standing::Shopper, other),
        person("an admin", Standing::Admin, admin),
    ]
}

#[test]
fn everybody_is_let_in_where_they_may_and_nowhere_else() {
    for_each_engine(async |shop| {
        let (mut round, mut tries) = (0, 0);
        let mut people = everybody(shop, round).await;
        let table = table();
        for line in &table {
            for Person {
                who,
                standing,
                browser,
            } in &people
            {
                // A dead session stays in the browser, though the answer would take it away.
                let cookies = browser.cookies.lock().unwrap().clone();
                let status = call(browser, line).await;
                *browser.cookies.lock().unwrap() = cookies;
                let refused = matches!(status, 401 | 403).then_some(status);
                let place = format!("{} {} by {who}", line.method, line.path);
                assert_eq!(refused, standing.refusal(line), "{place}");
                assert!(status < 500, "{place}: {status}");
                tries += 1;
            }
            // These end the sessions that the next calls need.
            if line.path.contains("logout") || line.path == "/api/user" {
                round += 1;
                people = everybody(shop, round).await;
            }
        }
        assert_eq!(tries, table.len() * people.len());
        eprintln!(
            "{} operations x {} people: {tries} doors tried",
            table.len(),
            people.len()
        );
    });
}

#[test]
fn a_deleted_persons_session_is_dead() {
    for_each_engine(async |shop| {
        let browser = shop.customer("doors-deleted").await;
        assert!(browser.is_signed_in().await);
        let changed = shop
            .sql("update users set deleted_at = 1 where email = 'doors-deleted@it.example'")
            .await;
        assert_eq!(changed, 1);
        assert!(!browser.is_signed_in().await);
        browser
            .get("/api/cart/cart")
            .await
            .expect_error(401, "not authenticated");

        // Who comes back afterwards is somebody new.
        browser.sign_in(&TestShop::email("doors-deleted")).await;
        assert!(browser.is_signed_in().await);
    });
}

#[test]
fn one_session_cookie_among_many_is_found_and_a_monstrous_one_is_none() {
    for_each_engine(async |shop| {
        let customer = shop.customer("doors-cookies").await;
        customer.set_cookie("aaa", "1");
        customer.set_cookie("zzz", "mirasa_session=x");
        assert!(customer.is_signed_in().await);
        for value in ["", "x", &"x".repeat(4000), "%00", "a=b=c", "\"quoted\""] {
            customer.set_cookie("mirasa_session", value);
            assert!(!customer.is_signed_in().await, "{value}");
        }
    });
}
