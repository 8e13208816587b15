//! XSS: markup in product texts, customer names, addresses and URLs is always escaped. The content security policy
//! would block an injected script.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{
    PendingPayment, TestResponse, TestShop, for_each_engine, for_each_engine_fresh, tags,
};
use crate::reviews::{customer_who_received, publish};

/// Closes an attribute, a title, a script and a comment, then opens a tag that no page of the shop has.
const HOSTILE: &str = "x'\"></title></script><!--<script>alert(1)</script><xss-probe onx=alert(1)>\u{2028}{{7*7}}${7*7}";
/// The same for short fields.
const SHORT: &str = "\"><xss-probe>";

/// Asserts that the page has no injected tag, attribute or script and that its policy allows only its own scripts.
#[track_caller]
fn assert_no_injected_markup(page_name: &str, response: &TestResponse) {
    let policy = response.header("content-security-policy");
    let scripts = policy.split(';').find(|part| part.contains("script-src"));
    let allowed = scripts.unwrap_or("default-src 'none'");
    assert!(
        policy.contains("default-src 'none'") && !allowed.contains("unsafe"),
        "{page_name}: {policy}"
    );
    let found = tags(response.text());
    assert!(!found.is_empty(), "{page_name} has no tags");
    for tag in found {
        assert_ne!(tag.name, "xss-probe", "{page_name}: {tag:?}");
        for (name, value) in &tag.attributes {
            assert!(!name.starts_with("on"), "{page_name}: {tag:?}");
            let value = value.trim().to_ascii_lowercase();
            assert!(!value.starts_with("javascript:"), "{page_name}: {tag:?}");
        }
        if tag.name != "script" {
            continue;
        }
        match (tag.attribute("src"), tag.attribute("type")) {
            (Some(src), _) => assert!(src.starts_with("/assets/"), "{page_name}: {tag:?}"),
            (None, Some("application/json" | "application/ld+json")) => {
                assert!(!tag.raw.contains('<'), "{page_name}: {tag:?}");
                let data: Result<Value, _> = serde_json::from_str(&tag.raw);
                assert!(data.is_ok(), "{page_name}: {tag:?}");
            }
            (None, _) => {
                let hash = STANDARD.encode(Sha256::digest(tag.raw.as_bytes()));
                assert!(allowed.contains(&hash), "{page_name}: {tag:?}");
            }
        }
    }
}

fn hostile_product() -> Value {
    json!({
        "product_name": HOSTILE, "devanagari_name": HOSTILE, "generic_name": HOSTILE,
        "description": format!("{HOSTILE} https://x.example/{HOSTILE}"), "country_of_origin": SHORT,
        "ingredients": [HOSTILE, SHORT], "preservatives": HOSTILE, "recipe": [HOSTILE],
        "nutrition_facts": { "Energy": SHORT, "Fat": SHORT, "Protein": SHORT, "Carbohydrate": SHORT, "Sugar": SHORT },
        "fssai_reg_no": SHORT, "manufactured_marketed_by": HOSTILE, "address": HOSTILE, "email": HOSTILE,
        "customer_care_no": SHORT, "mrp": [65.5, 120], "net_wt": [{ "value": 50, "unit": "\"><s onx>" }],
        "best_before": SHORT, "category": [SHORT, "</script>"], "why_you_will_love_it": [HOSTILE],
        "images": [format!("\"{HOSTILE}"), "javascript:alert(1)", "https://evil.example/\"onerror=alert(1) x=\""],
        "hsn_code": "\"><i>", "stock": 10_000, "packaging_50gms": 100, "packaging_100gms": 100, "trendingRank": 4,
    })
}

#[test]
fn product_text_is_escaped_on_every_page() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let added = admin
                .post("/api/admin/addProduct", hostile_product())
                .await
                .expect_ok();
            let id = added["product"]["_id"].as_str().unwrap();
            assert!(!id.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-'));
            let visitor = shop.visitor();
            let product = format!("/product/{id}");
            for path in [
                &product,
                "/",
                "/products",
                "/sub-products",
                "/sub-products?category=%22%3E%3Cxss-probe%3E",
                "/search?q=xss-probe",
            ] {
                let page = visitor.get(path).await;
                assert_eq!(page.status, 200, "{path}");
                assert!(
                    page.text().contains("xss-probe"),
                    "{path} does not show the product"
                );
                assert_no_injected_markup(path, &page);
            }

            // The embedded JSON contains the text unchanged.
            let page = visitor.get(&product).await;
            let data = tags(page.text());
            let described = data
                .iter()
                .filter(|tag| tag.attribute("type") == Some("application/ld+json"))
                .map(|tag| serde_json::from_str::<Value>(&tag.raw).unwrap())
                .find(|json| json["@type"] == "Product");
            assert_eq!(described.unwrap()["name"], HOSTILE);
            let state = data.iter().find(|tag| tag.attribute("id") == Some("state"));
            let state: Value = serde_json::from_str(&state.unwrap().raw).unwrap();
            let hostile = serde_json::to_string(HOSTILE).unwrap();
            assert!(state.to_string().contains(hostile.trim_matches('"')));

            let map = visitor.get("/sitemap.xml").await;
            assert!(map.text().contains(id) && !map.text().contains("<xss-probe"));
            let json = visitor.get("/api/products").await;
            assert_eq!(json.header("content-type"), "application/json");
            assert_eq!(json.header("x-content-type-options"), "nosniff");
        },
    );
}

#[test]
fn url_text_is_escaped() {
    for_each_engine(async |shop| {
        let visitor = shop.visitor();
        let hostile: String = url::form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
        let in_path = hostile.replace('+', "%20");
        for path in [
            format!("/{in_path}"),
            format!("/product/{in_path}"),
            format!("/search?q={hostile}"),
            format!("/sub-products?search={hostile}"),
            format!("/sub-products?category={hostile}"),
            format!("/sub-products?{hostile}={hostile}"),
            format!("/?signIn={hostile}"),
            format!("/payment/status?merchantOrderId={hostile}"),
            format!("/api/payment/redirect?merchantOrderId={hostile}"),
            format!("/sandbox/google/authorize?login_hint={hostile}"),
            format!(
                "/sandbox/google/authorize?client_id={hostile}&redirect_uri={hostile}&state={hostile}"
            ),
        ] {
            let page = visitor.get(&path).await;
            assert!(matches!(page.status, 200 | 400 | 404), "{path}: {page:?}");
            assert_no_injected_markup(&path, &page);
        }
        // Error responses may quote the input. They are JSON, which a browser does not render.
        for path in [
            format!("/api/products/{in_path}"),
            format!("/api/{in_path}"),
            format!("/images/products/{in_path}"),
            format!("/api/pincode/{in_path}"),
        ] {
            let request = visitor
                .request(http::Method::GET, &path)
                .header(header::ACCEPT, "text/html");
            let response = visitor.send(request).await;
            assert_eq!(
                response.header("content-type"),
                "application/json",
                "{path}"
            );
            assert_eq!(response.header("x-content-type-options"), "nosniff");
        }
    });
}

#[test]
fn customer_text_is_escaped_in_emails_and_the_mailbox() {
    for_each_engine(async |shop| {
        let name = "<xss-probe onx=alert(1)>\"'</td></table>";
        let customer = shop.customer("markup-customer").await;
        customer
            .put("/api/user/profile", json!({ "name": name }))
            .await
            .expect_ok();
        let body = json!({
            "addressName": SHORT, "name": name, "phone": "9876543210", "addressLine1": HOSTILE,
            "addressLine2": HOSTILE, "city": name, "state": "Maharashtra", "pincode": "411030",
        });
        let address = customer.post("/api/addresses", body).await.expect_ok();
        let address = address["address"]["_id"].as_str().unwrap();
        customer.add("goda-masala", 1, 0).await;
        let payment = PendingPayment::from_response(&customer.check_out(address).await);
        assert_no_injected_markup("the payment page", &customer.get(&payment.page).await);
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;

        let emails = shop.emails_to("markup-customer").await;
        assert!(!emails.is_empty());
        for email in emails {
            for tag in tags(&email.html_body) {
                assert_ne!(tag.name, "xss-probe", "{}", email.html_body);
            }
            assert!(email.html_body.contains("&#60;xss-probe"));
            let page = shop
                .visitor()
                .get(&format!("/sandbox/mail/{}", email.id))
                .await;
            assert_no_injected_markup("the mailbox", &page);
        }
        assert_no_injected_markup("the mailbox", &shop.visitor().get("/sandbox/mail").await);
        let email = TestShop::email("markup-customer");
        let admin = shop.admin().await;
        let users = admin.get(&format!("/api/admin/users?search={email}")).await;
        assert_eq!(
            users.expect_ok()["users"][0]["name"],
            name,
            "saved unchanged"
        );
        assert_eq!(users.header("x-content-type-options"), "nosniff");
    });
}

#[test]
fn review_text_is_escaped_on_the_page_and_in_its_data() {
    for_each_engine(async |shop| {
        let (customer, _) = customer_who_received(shop, "xss-review").await;
        let profile = json!({ "name": format!("{SHORT} {SHORT}") });
        customer.put("/api/user/profile", profile).await.expect_ok();
        let published = publish(&customer, "xss-review", 5, HOSTILE)
            .await
            .expect_ok();
        let id = published["review"]["_id"].as_str().unwrap();
        let reply = json!({ "reply": HOSTILE });
        let admin = shop.admin().await;
        let path = format!("/api/admin/reviews/{id}");
        admin.put(&path, reply).await.expect_ok();

        let page = shop.visitor().get("/product/xss-review").await;
        assert!(page.text().contains("xss-probe"), "the page has no review");
        assert_no_injected_markup("a product with a hostile review", &page);
        let data = tags(page.text());
        let product = data
            .iter()
            .filter(|tag| tag.attribute("type") == Some("application/ld+json"))
            .map(|tag| serde_json::from_str::<Value>(&tag.raw).unwrap())
            .find(|json| json["@type"] == "Product");
        assert_eq!(product.unwrap()["review"][0]["reviewBody"], HOSTILE);
        let json = shop.visitor().get("/api/products/xss-review/reviews").await;
        assert_eq!(json.header("content-type"), "application/json");
        assert_eq!(json.expect_ok()["reviews"][0]["text"], HOSTILE);
        // Nothing of the query is written into the page that the email links to.
        let link =
            "/review?token=%22%3E%3Cxss-probe%3E&product=%3Cxss-probe%3E&stars=%3Cxss-probe%3E";
        let page = shop.visitor().get(link).await;
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("xss-probe"));
    });
}
