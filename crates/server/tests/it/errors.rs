//! Whatever goes wrong, a call is answered in JSON, in one shape, with the right status.

use http::{Method, header};
use serde_json::json;

use crate::harness::{for_each_engine, for_each_engine_fresh, on_postgres_fresh};

#[test]
fn unknown_calls_are_json_404_even_for_a_browser() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in [
            "/api",
            "/api/",
            "/api/nothing",
            "/api/cart",
            "/api/products/api/nothing/at/all",
            "/api/admin/nothing",
        ] {
            for method in [Method::GET, Method::POST, Method::DELETE] {
                let ask = browser
                    .request(method.clone(), path)
                    .header(header::ACCEPT, "text/html");
                let response = browser.send(ask).await;
                assert_eq!(response.status, 404, "{method} {path}: {response:?}");
                assert_eq!(response.error_text(), "There is no such call");
                assert_eq!(response.header("cache-control"), "no-store");
            }
        }
    });
}

#[test]
fn a_known_path_with_another_method_is_405() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for (method, path) in [
            (Method::POST, "/api/cart/cart"),
            (Method::GET, "/api/cart/update"),
            (Method::DELETE, "/api/products"),
            (Method::PUT, "/"),
            (Method::POST, "/product/goda-masala"),
            (Method::POST, "/healthz"),
        ] {
            let response = browser.send(browser.request(method.clone(), path)).await;
            assert_eq!(response.status, 405, "{method} {path}: {response:?}");
            response.error_text();
        }
    });
}

#[test]
fn a_body_that_cannot_be_read_says_what_is_wrong_with_it() {
    for_each_engine(async |shop| {
        let browser = shop.customer("errors-bodies").await;
        let send = async |content_type: &str, body: &str| {
            let ask = browser
                .request(Method::POST, "/api/cart/add-to-cart")
                .header(header::CONTENT_TYPE, content_type)
                .body(body.to_owned());
            browser.send(ask).await
        };
        let fine = r#"{"productId":"goda-masala","qty_50g":1}"#;
        for content_type in ["application/json", "Application/JSON; charset=utf-8"] {
            assert_eq!(send(content_type, fine).await.status, 200, "{content_type}");
        }
        for content_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonx",
        ] {
            let response = send(content_type, fine).await;
            response.expect_error(415, "Content-Type must be application/json");
        }
        for (body, says) in [
            ("", "The request is not valid"),
            ("{", "The request is not valid"),
            ("null", "The request is not valid"),
            ("[]", "The request is not valid"),
            ("{} {}", "productId"),
            ("{}", "productId"),
            (r#"{"productId":7}"#, "productId is not valid"),
            (
                r#"{"productId":"goda-masala","qty_50g":"two"}"#,
                "qty_50g is not valid",
            ),
            (
                r#"{"productId":"goda-masala","qty_50g":1}x"#,
                "The request is not valid",
            ),
            ("\u{0}\u{1}", "The request is not valid"),
            (
                r#"{"productId":"a\u0000b","qty_50g":1}"#,
                "a character that cannot be used",
            ),
        ] {
            let response = send("application/json", body).await;
            assert_eq!(response.status, 400, "{body}: {response:?}");
            let text = response.error_text();
            assert!(text.contains(says), "{body}: {text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(
            send("application/json", &deep).await.status,
            400,
            "no stack is deep enough"
        );
    });
}

#[test]
fn a_body_beyond_the_limit_is_413() {
    for_each_engine(async |shop| {
        let browser = shop.customer("errors-large").await;
        let large = json!({ "productId": "x".repeat(300 * 1024), "qty_50g": 1 });
        let response = browser.post("/api/cart/add-to-cart", large).await;
        response.expect_error(413, "The request is too large");
        let visitor = shop.visitor();
        let large =
            json!({ "name": "A", "email": "a@b.example", "message": "x".repeat(300 * 1024) });
        let response = visitor.post("/api/api/queries", large).await;
        response.expect_error(413, "The request is too large");
    });
}

#[test]
fn a_bad_query_or_path_is_answered_in_the_same_shape() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in [
            "/images/products/x.webp?w=wide",
            "/images/nowhere/x.webp",
            "/images/products/%2e%2e%2fshop.db",
            "/api/products/%ff",
            "/api/products/nothing",
            "/api/products/a%00b",
            "/api/auth/google/login?add=a%00b:1:0",
        ] {
            let response = browser.get(path).await;
            assert!((400..=404).contains(&response.status), "{path}: {response:?}");
            response.error_text();
        }
    });
}

#[test]
fn a_fault_inside_shows_nothing_of_the_inside() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.customer("errors-inside").await;
            shop.sql("drop table wishes").await;
            let response = browser.get("/api/user/wishlist").await;
            response.expect_error(500, "Something went wrong.");
            assert_eq!(browser.get("/api/cart/cart").await.status, 200);
        },
    );
}

#[test]
fn while_the_database_is_away_visitors_still_see_the_shop() {
    on_postgres_fresh(
        |_| {},
        async |shop| {
            let browser = shop.customer("errors-away").await;
            shop.drop_database().await;
            let response = browser.get("/api/cart/cart").await;
            let text = "The shop cannot save this right now. Please try again in a moment.";
            response.expect_error(503, text);
            response.expect_code(503, "unavailable", "");
            assert_eq!(response.header("retry-after"), "2");
            assert_eq!(browser.get("/readyz").await.status, 503);
            for alive in ["/healthz", "/", "/product/goda-masala", "/api/products"] {
                assert_eq!(browser.get(alive).await.status, 200, "{alive}");
            }
        },
    );
}

#[test]
fn the_contact_form_may_be_empty_but_not_unprintable() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for body in [
            json!({ "name": "Asha", "email": "asha@it.example", "message": "Namaste 🌶️\nTwo lines." }),
            json!({ "name": "", "email": "", "message": "" }),
            json!({}),
        ] {
            let response = browser.post("/api/api/queries", body).await;
            assert_eq!(response.status, 201);
            assert_eq!(
                response.json()["message"],
                "Your message has been sent successfully!"
            );
        }
        for (body, says) in [
            (
                json!({ "name": "a\u{1}b" }),
                "name contains characters that cannot be used",
            ),
            (
                json!({ "email": "a\nb" }),
                "email contains characters that cannot be used",
            ),
            (
                json!({ "message": "x".repeat(5001) }),
                "message must be at most 5000 characters",
            ),
        ] {
            browser
                .post("/api/api/queries", body)
                .await
                .expect_error(400, says);
        }
    });
}

#[test]
fn a_pincode_is_found_in_the_postal_shape() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let pune = browser.get("/api/pincode/411030").await.expect_ok();
        assert_eq!(
            (&pune["Status"], &pune["PostOffice"][0]["State"]),
            (&json!("Success"), &json!("Maharashtra"))
        );
        for unknown in [
            "000000",
            "41103",
            "4110300",
            "abcdef",
            "999999",
            "%F0%9F%8C%B6",
        ] {
            let response = browser
                .get(&format!("/api/pincode/{unknown}"))
                .await
                .expect_ok();
            assert_eq!(
                (&response["Status"], &response["PostOffice"]),
                (&json!("Error"), &json!(null)),
                "{unknown}"
            );
        }
    });
}
