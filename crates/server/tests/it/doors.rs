//! Nobody forgets the door: every call of the route list is tried by everybody. A call without a line
//! in the table below fails the test, so that whoever adds one says here, once more, who may make it.

use http::Method;
use mirasa_http::Access;
use serde_json::json;

use crate::harness::{Browser, TestShop, on_both};

const WHO_MAY: &str = "
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
    GET    /api/admin/concerns                          admin
    PUT    /api/admin/concerns/{id}/settle              admin
    POST   /api/admin/upload-images                     admin
    GET    /api/admin/users                             admin
    PUT    /api/admin/users/{id}                        admin
    DELETE /api/admin/users/{id}                        admin
    GET    /api/admin/audit                             admin
    GET    /images/{drawer}/{file}               anyone
";

struct Line {
    method: &'static str,
    path: &'static str,
    access: &'static str,
}

fn table() -> Vec<Line> {
    let lines = WHO_MAY.lines().filter(|line| !line.trim().is_empty());
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

/// Makes the call with nothing but the right to make it: what it says beyond 401 and 403 is no matter.
async fn knock(browser: &Browser, line: &Line) -> u16 {
    let mut path = line.path.to_owned();
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "nothing-of-the-kind");
    }
    let method: Method = line.method.parse().unwrap();
    let mut request = browser.ask(method.clone(), &path);
    if matches!(method, Method::POST | Method::PUT | Method::PATCH) {
        request = request.json(&json!({}));
    }
    let answer = browser.send(request).await;
    if matches!(answer.status, 401 | 403) {
        answer.error_text();
    }
    answer.status
}

async fn with_session(shop: &TestShop, session: Option<String>) -> Browser {
    let browser = shop.visitor();
    if let Some(session) = session {
        browser.set_cookie("mirasa_session", &session);
    }
    browser
}

#[test]
fn everybody_is_let_in_where_they_may_and_nowhere_else() {
    on_both(async |shop| {
        let expired = shop.shopper("doors-expired").await;
        shop.sql(
            "update sessions set expires_at = 1 where user_id in
             (select id from users where email = 'doors-expired@it.example')",
        )
        .await;
        let shopper = shop.shopper("doors-shopper").await;
        let admin = shop.admin().await;
        let garbage = shop.visitor();
        garbage.set_cookie("mirasa_session", "' or 1=1 --");

        for line in table() {
            let user_denied = if line.access == "anyone" {
                None
            } else {
                Some(401)
            };
            let shopper_denied = if line.access == Access::Admin.as_str() {
                Some(403)
            } else {
                None
            };
            // Signing out, or being forgotten, would end the session that the next calls need.
            let signs_out = line.path.contains("logout") || line.path == "/api/user";
            for (who, browser, denied) in [
                ("a visitor", &shop.visitor(), user_denied),
                (
                    "an expired session",
                    &with_session(shop, expired.session()).await,
                    user_denied,
                ),
                ("a garbage cookie", &garbage, user_denied),
                (
                    "a shopper",
                    &with_session(shop, shopper.session()).await,
                    shopper_denied,
                ),
                ("an admin", &with_session(shop, admin.session()).await, None),
            ] {
                let fresh;
                let browser = match (signs_out, who) {
                    (true, "a shopper") => {
                        fresh = shop.shopper("doors-leaving").await;
                        &fresh
                    }
                    (true, "an admin") => {
                        fresh = shop.shopper("doors-leaving-admin").await;
                        shop.sql("update users set role = 'admin' where email = 'doors-leaving-admin@it.example'").await;
                        &fresh
                    }
                    _ => browser,
                };
                let status = knock(browser, &line).await;
                let refused = matches!(status, 401 | 403).then_some(status);
                assert_eq!(refused, denied, "{} {} by {who}", line.method, line.path);
                assert_ne!(status, 500, "{} {} by {who}", line.method, line.path);
            }
        }
    });
}

#[test]
fn a_deleted_persons_session_is_dead() {
    on_both(async |shop| {
        let browser = shop.shopper("doors-deleted").await;
        assert!(browser.is_signed_in().await);
        let changed = shop
            .sql("update users set deleted_at = 1 where email = 'doors-deleted@it.example'")
            .await;
        assert_eq!(changed, 1);
        assert!(!browser.is_signed_in().await);
        browser
            .get("/api/cart/cart")
            .await
            .refused(401, "not authenticated");

        // Who comes back afterwards is somebody new.
        browser.sign_in(&TestShop::email("doors-deleted")).await;
        assert!(browser.is_signed_in().await);
    });
}

#[test]
fn one_session_cookie_among_many_is_found_and_a_monstrous_one_is_none() {
    on_both(async |shop| {
        let shopper = shop.shopper("doors-cookies").await;
        shopper.set_cookie("aaa", "1");
        shopper.set_cookie("zzz", "mirasa_session=x");
        assert!(shopper.is_signed_in().await);
        for value in ["", "x", &"x".repeat(4000), "%00", "a=b=c", "\"quoted\""] {
            shopper.set_cookie("mirasa_session", value);
            assert!(!shopper.is_signed_in().await, "{value}");
        }
    });
}
