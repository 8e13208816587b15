//! The profile and its picture.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{Method, header};
use serde_json::{Value, json};

use crate::harness::{TestClient, for_each_engine, png};

/// A red dot, one pixel in each direction.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

#[test]
fn a_profile_is_shown_and_changed() {
    for_each_engine(async |shop| {
        let browser = shop.customer("people-profile").await;
        for path in ["/api/user/profile", "/api/userinfo"] {
            let user = browser.get(path).await.expect_ok()["user"].take();
            assert_eq!(user["name"], "People Profile");
            assert_eq!(user["email"], "people-profile@it.example");
            assert_eq!(
                (&user["role"], &user["phone"]),
                (&json!("customer"), &json!(null))
            );
        }
        let change = json!({
            "name": " आशा 🌶️ ", "phone": "098765 43210", "dateOfBirth": "1990-02-28",
            "gender": "prefer-not-to-say", "email": "other@it.example", "role": "admin",
        });
        let user = browser.put("/api/user/profile", change).await.expect_ok()["user"].take();
        for (field, value) in [
            ("name", "आशा 🌶️"),
            ("phone", "+919876543210"),
            ("dateOfBirth", "1990-02-28"),
            ("gender", "prefer-not-to-say"),
            ("email", "people-profile@it.example"),
            ("role", "customer"),
        ] {
            assert_eq!(user[field], value, "{field}");
        }
        assert_eq!(browser.get("/api/userinfo").await.expect_ok()["user"], user);
        let bare = browser
            .put("/api/user/profile", json!({ "name": "Asha" }))
            .await
            .expect_ok();
        assert_eq!(
            bare["user"]["phone"],
            json!(null),
            "what is left out is taken back"
        );
    });
}

#[test]
fn a_profile_that_cannot_be_is_refused_by_field() {
    for_each_engine(async |shop| {
        let browser = shop.customer("people-rules").await;
        let name = |text: &str| json!({ "name": text });
        let date = |text: &str| json!({ "name": "Asha", "dateOfBirth": text });
        let not_a_date = "dateOfBirth must be a date such as 1990-02-28";
        for (body, says) in [
            (name(""), "name is required"),
            (
                name(&"x".repeat(10_000)),
                "name must be at most 100 characters",
            ),
            (
                name("a\u{7}b"),
                "name contains characters that cannot be used",
            ),
            (
                name("\u{202E}abc"),
                "name contains characters that cannot be used",
            ),
            (
                name("\u{2066}abc"),
                "name contains characters that cannot be used",
            ),
            (date("1990-02-30"), not_a_date),
            (date("28/02/1990"), not_a_date),
            (date("1990-2-8"), not_a_date),
            (date("0000-01-01"), not_a_date),
            (date("9999-01-01"), not_a_date),
            (
                json!({ "name": "Asha", "gender": "robot" }),
                "gender must be male, female, other or prefer-not-to-say",
            ),
            (
                json!({ "name": "Asha", "phone": "12" }),
                "phone must be a 10-digit phone number",
            ),
        ] {
            browser
                .put("/api/user/profile", body)
                .await
                .expect_error(400, says);
        }
        for body in [json!({}), json!({ "name": 7 }), json!({ "name": ["Asha"] })] {
            let response = browser.put("/api/user/profile", body).await;
            assert_eq!(response.status, 400);
            assert!(response.error_text().contains("name"));
        }
        let user = browser.get("/api/user/profile").await.expect_ok();
        assert_eq!(
            user["user"]["name"], "People Rules",
            "none of them changed anything"
        );
    });
}

async fn set_picture(
    browser: &TestClient,
    picture: impl Into<Value>,
) -> crate::harness::TestResponse {
    let body = json!({ "profilePicture": picture.into() });
    browser.put("/api/user/profile-picture", body).await
}

#[test]
fn a_picture_is_decoded_kept_and_served() {
    for_each_engine(async |shop| {
        let browser = shop.customer("people-picture").await;
        let user = set_picture(&browser, format!("data:image/png;base64,{PNG}"))
            .await
            .expect_ok()["user"]
            .take();
        let address = user["profilePicture"].as_str().unwrap();
        assert!(address.starts_with("/images/people/"), "{address}");
        assert_eq!(user["photo"], user["profilePicture"]);
        assert_eq!(
            browser.get("/api/userinfo").await.expect_ok()["user"]["photo"],
            user["photo"]
        );

        let visitor = shop.visitor();
        for accept in ["image/avif,image/webp,*/*", "image/webp", "*/*"] {
            let ask = visitor
                .request(Method::GET, address)
                .header(header::ACCEPT, accept);
            let served = visitor.send(ask).await;
            assert_eq!(served.status, 200, "{accept}");
            assert!(
                served.header("content-type").starts_with("image/"),
                "{served:?}"
            );
            assert_eq!(served.header("x-content-type-options"), "nosniff");
            assert_ne!(served.header("content-type"), "image/avif");
            assert_eq!(served.header("cache-control"), "private, max-age=300");
            assert_ne!(
                &served.body[..],
                STANDARD.decode(PNG).unwrap(),
                "never the bytes as they came"
            );
        }
    });
}

#[test]
fn a_picture_is_kept_small_and_a_large_one_is_refused() {
    let sent = |width, height| {
        let image = png(width, height, 51);
        format!("data:image/png;base64,{}", STANDARD.encode(image))
    };
    let (fits, too_large) = (sent(1500, 900), sent(6001, 2000));
    for_each_engine(async |shop| {
        let browser = shop.customer("people-large-picture").await;
        set_picture(&browser, too_large.as_str())
            .await
            .expect_error(413, "The profile picture is larger than 12 megapixels");
        let user = set_picture(&browser, fits.as_str()).await.expect_ok();
        let address = user["user"]["profilePicture"].as_str().unwrap();
        for (query, width) in [("", 512), ("?w=2000", 512), ("?w=64&v=1", 64)] {
            let served = browser.get(&format!("{address}{query}")).await;
            let image = image::load_from_memory(&served.body).unwrap();
            assert_eq!(image.width(), width, "{query}");
            assert_eq!(served.header("cache-control"), "private, max-age=300");
        }
        let renditions = shop.config.data.join("pictures/renditions/people");
        assert!(!renditions.exists(), "nothing made of it is written");
    });
}

#[test]
fn what_is_no_picture_is_not_taken_for_one() {
    for_each_engine(async |shop| {
        let browser = shop.customer("people-no-picture").await;
        let disguised =
            |kind: &str, bytes: &[u8]| format!("data:{kind};base64,{}", STANDARD.encode(bytes));
        let mut cut_off = STANDARD.decode(PNG).unwrap();
        cut_off.truncate(40);
        for picture in [
            disguised("image/png", b"<html><script>alert(1)</script></html>"),
            disguised(
                "image/svg+xml",
                b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
            ),
            disguised("text/html", &STANDARD.decode(PNG).unwrap()),
            disguised("image/png", b""),
            disguised("image/png", &cut_off),
            "data:image/png;base64,%%%".into(),
            "https://elsewhere.example/me.png".into(),
            String::new(),
        ] {
            let response = set_picture(&browser, picture.as_str()).await;
            assert_eq!(response.status, 415, "{picture}: {response:?}");
            response.error_text();
        }
        assert_eq!(set_picture(&browser, json!(null)).await.status, 400);
        let large = format!("data:image/png;base64,{}", "A".repeat(9 * 1024 * 1024));
        set_picture(&browser, large)
            .await
            .expect_error(413, "The request is too large");
        let user = browser.get("/api/userinfo").await.expect_ok();
        assert_eq!(user["user"]["profilePicture"], json!(null));
    });
}
