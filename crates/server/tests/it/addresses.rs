//! Saved addresses: both families of calls, one default at most, each its owner's alone.

use serde_json::{Value, json};

use crate::harness::{TestClient, for_each_engine};

const FAMILIES: [&str; 2] = ["/api/addresses", "/api/user/addresses"];

fn home(name: &str) -> Value {
    json!({
        "addressName": name, "name": "Asha Kulkarni", "phone": "98765 43210",
        "addressLine1": "12 Laxmi Road", "addressLine2": "Flat 4", "city": "Pune",
        "state": "Maharashtra", "pincode": "411030", "isDefault": false,
    })
}

fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut body = home("Home");
    body[field] = value.into();
    body
}

async fn list(browser: &TestClient) -> Vec<Value> {
    let response = browser.get("/api/addresses").await.expect_ok()["addresses"].take();
    serde_json::from_value(response).unwrap()
}

fn defaults(addresses: &[Value]) -> Vec<&str> {
    let chosen = addresses
        .iter()
        .filter(|address| address["isDefault"] == true);
    chosen
        .map(|address| address["addressName"].as_str().unwrap())
        .collect()
}

#[test]
fn both_families_do_the_same() {
    for_each_engine(async |shop| {
        for (number, family) in FAMILIES.iter().enumerate() {
            let browser = shop.customer(&format!("address-family-{number}")).await;
            assert_eq!(
                browser.get(family).await.expect_ok(),
                json!({ "addresses": [] })
            );
            let response = browser.post(family, home("Home")).await;
            assert_eq!(response.status, 201);
            let address = response.json()["address"].take();
            let id = address["_id"].as_str().unwrap();
            let mut expected = home("Home");
            expected["_id"] = json!(id);
            expected["phone"] = json!("+919876543210");
            expected["isDefault"] = json!(true);
            assert_eq!(address, expected, "the first one becomes the default");

            let change = with("city", "Kolhapur");
            let changed = browser
                .put(&format!("{family}/{id}"), change)
                .await
                .expect_ok();
            assert_eq!(changed["address"]["city"], "Kolhapur");
            for other in FAMILIES {
                assert_eq!(
                    browser.get(other).await.expect_ok()["addresses"][0],
                    changed["address"]
                );
            }
            assert_eq!(
                browser.delete(&format!("{family}/{id}")).await.expect_ok(),
                json!({ "success": true })
            );
            assert_eq!(list(&browser).await.len(), 0);
            browser
                .delete(&format!("{family}/{id}"))
                .await
                .expect_error(404, "Address not found.");
        }
    });
}

#[test]
fn one_is_the_default_at_most() {
    for_each_engine(async |shop| {
        let browser = shop.customer("address-default").await;
        let mut ids = Vec::new();
        for name in ["Home", "Work", "Parents"] {
            let response = browser.post("/api/addresses", home(name)).await.expect_ok();
            ids.push(response["address"]["_id"].as_str().unwrap().to_owned());
        }
        assert_eq!(defaults(&list(&browser).await), ["Home"]);
        let response = browser
            .patch(&format!("/api/addresses/{}/default", ids[1]), json!({}))
            .await
            .expect_ok();
        assert_eq!(response["address"]["isDefault"], true);
        assert_eq!(defaults(&list(&browser).await), ["Work"]);
        let mut as_default = home("Parents");
        as_default["isDefault"] = json!(true);
        browser
            .put(&format!("/api/addresses/{}", ids[2]), as_default)
            .await
            .expect_ok();
        assert_eq!(defaults(&list(&browser).await), ["Parents"]);
        browser
            .post("/api/addresses", with("isDefault", true))
            .await
            .expect_ok();
        assert_eq!(defaults(&list(&browser).await), ["Home"]);
    });
}

#[test]
fn tabs_that_race_for_the_default_leave_one() {
    for_each_engine(async |shop| {
        let browser = shop.customer("address-race").await;
        let adding = (0..6).map(|_| browser.post("/api/addresses", with("isDefault", true)));
        let added = futures::future::join_all(adding).await;
        let ids: Vec<String> = added
            .iter()
            .map(|response| {
                response.expect_ok()["address"]["_id"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(defaults(&list(&browser).await).len(), 1);
        let choosing = ids.iter().map(async |id| {
            browser
                .patch(&format!("/api/addresses/{id}/default"), json!({}))
                .await
        });
        let chosen = futures::future::join_all(choosing).await;
        assert!(chosen.iter().all(|response| response.status == 200));
        assert_eq!(defaults(&list(&browser).await).len(), 1);
    });
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    for_each_engine(async |shop| {
        let browser = shop.customer("address-rules").await;
        let long = "x".repeat(10_000);
        for (body, says) in [
            (with("addressName", ""), "addressName is required"),
            (with("name", "  "), "name is required"),
            (with("phone", ""), "phone is required"),
            (with("addressLine1", ""), "addressLine1 is required"),
            (with("city", ""), "city is required"),
            (with("state", ""), "state is required"),
            (with("pincode", ""), "pincode is required"),
            (json!({}), "state is required"),
            (
                with("phone", "12345"),
                "phone must be a 10-digit phone number",
            ),
            (
                with("phone", "98765x3210"),
                "phone must be a 10-digit phone number",
            ),
            (with("pincode", "41103"), "pincode must be 6 digits"),
            (with("pincode", "011030"), "pincode must be 6 digits"),
            (with("pincode", "41103a"), "pincode must be 6 digits"),
            (
                with("state", "Atlantis"),
                "state must be an Indian state or union territory",
            ),
            (
                with("name", long.as_str()),
                "name must be at most 100 characters",
            ),
            (
                with("addressLine2", long.as_str()),
                "addressLine2 must be at most 200 characters",
            ),
            (
                with("city", "Pu\u{1}ne"),
                "city contains characters that cannot be used",
            ),
            (
                with("name", "\u{202E}ahsA"),
                "name contains characters that cannot be used",
            ),
        ] {
            browser
                .post("/api/addresses", body)
                .await
                .expect_error(400, says);
        }
        for (field, value) in [
            ("name", json!(7)),
            ("isDefault", json!("yes")),
            ("city", json!(null)),
        ] {
            let response = browser.post("/api/addresses", with(field, value)).await;
            assert_eq!(response.status, 400);
            assert!(response.error_text().contains(field));
        }
        let kept = browser
            .post("/api/addresses", with("name", "आशा 🌶️ O'Hara <b>"))
            .await
            .expect_ok();
        assert_eq!(kept["address"]["name"], "आशा 🌶️ O'Hara <b>");
        let mut without = home("Short");
        without.as_object_mut().unwrap().remove("addressLine2");
        without.as_object_mut().unwrap().remove("isDefault");
        assert_eq!(
            browser.post("/api/addresses", without).await.expect_ok()["address"]["addressLine2"],
            ""
        );
    });
}

#[test]
fn somebody_elses_address_is_not_there() {
    for_each_engine(async |shop| {
        let asha = shop.customer("address-asha").await;
        let rohan = shop.customer("address-rohan").await;
        let saved = asha.post("/api/addresses", home("Home")).await.expect_ok();
        let id = saved["address"]["_id"].as_str().unwrap();
        for id in [id, "no-such-id", "' or 1=1 --"] {
            for family in FAMILIES {
                let path = format!("{family}/{}", id.replace(' ', "%20"));
                rohan
                    .put(&path, home("Mine"))
                    .await
                    .expect_error(404, "Address not found.");
                rohan
                    .delete(&path)
                    .await
                    .expect_error(404, "Address not found.");
            }
            let path = format!("/api/addresses/{}/default", id.replace(' ', "%20"));
            rohan
                .patch(&path, json!({}))
                .await
                .expect_error(404, "Address not found.");
        }
        assert_eq!(list(&rohan).await.len(), 0);
        assert_eq!(list(&asha).await, [saved["address"].clone()]);
    });
}

#[test]
fn nobody_fills_the_shop_with_addresses() {
    for_each_engine(async |shop| {
        let browser = shop.customer("address-many").await;
        for _ in 0..50 {
            browser
                .post("/api/addresses", home("Home"))
                .await
                .expect_ok();
        }
        let response = browser.post("/api/addresses", home("Home")).await;
        response.expect_error(400, "At most 50 addresses can be saved");
    });
}
