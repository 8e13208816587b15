//! Reviews that the shop replies to or hides, that are erased with a customer, or that `mirasa check` finds wrong.

use http::Method;
use mirasa_server::commands::check_data::check_consistency;
use serde_json::json;

use crate::harness::{for_each_engine, for_each_engine_fresh, jpeg};
use crate::review_photos::send_form;
use crate::reviews::{
    assert_consistent, customer_who_received, id_of, moderate, publish, reviews, texts,
};

#[test]
fn shop_replies_and_hides_for_a_reason_but_cannot_edit() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, _) = customer_who_received(shop, "review-moderated").await;
        let published = publish(&customer, "review-moderated", 1, "Rude words").await;
        let id = id_of(&published.expect_ok());

        let reply =
            json!({ "reply": "We are sorry.\nPlease call us.", "stars": 5, "text": "Lovely" });
        let replied = moderate(&admin, &id, reply).await.expect_ok();
        assert_eq!(replied["review"]["text"], "Rude words");
        assert_eq!(replied["review"]["stars"], 1);
        let page = reviews(shop, "review-moderated", "").await;
        let reply = &page["reviews"][0]["reply"];
        assert_eq!(reply["text"], "We are sorry.\nPlease call us.");
        assert!(reply["by"].is_null(), "the admin's address is not public");

        let without_reason = moderate(&admin, &id, json!({ "hidden": true, "reason": " " })).await;
        without_reason.expect_code(400, "invalid_input", "reason");
        let hide = json!({ "hidden": true, "reason": "Insults our packers" });
        let hidden = moderate(&admin, &id, hide.clone()).await.expect_ok();
        assert_eq!(hidden["review"]["hiddenReason"], "Insults our packers");
        moderate(&admin, &id, hide).await.expect_ok();
        assert_eq!(reviews(shop, "review-moderated", "").await["total"], 0);
        let listed = admin
            .get("/api/admin/reviews?state=hidden&limit=1000")
            .await;
        assert!(listed.text().contains("Insults our packers"));

        // The customer sees that it is hidden and why. It cannot be deleted and published again, and an edit stays hidden.
        let own = customer.get("/api/user/reviews").await.expect_ok();
        assert_eq!(own["reviews"][0]["hiddenReason"], "Insults our packers");
        let path = format!("/api/user/reviews/{id}");
        let response = customer.delete(&path).await;
        response.expect_code(409, "review_hidden", "");
        let edit = json!({ "stars": 1, "text": "Polite words" });
        customer.put(&path, edit).await.expect_ok();
        assert_eq!(reviews(shop, "review-moderated", "").await["total"], 0);
        let vote = format!("{path}/helpful");
        let voter = shop.customer("moderated-voter").await;
        let response = voter.put(&vote, json!({ "helpful": true })).await;
        response.expect_code(404, "review_not_found", "");

        moderate(&admin, &id, json!({ "hidden": false }))
            .await
            .expect_ok();
        let page = reviews(shop, "review-moderated", "").await;
        assert_eq!(texts(&page), ["Polite words"]);
        moderate(&admin, &id, json!({ "reply": "" }))
            .await
            .expect_ok();
        let page = reviews(shop, "review-moderated", "").await;
        assert!(page["reviews"][0]["reply"].is_null());

        let log = admin
            .get(&format!("/api/admin/audit?about={id}"))
            .await
            .expect_ok();
        let entries = log["entries"].as_array().unwrap();
        let actions: Vec<_> = entries
            .iter()
            .rev()
            .map(|entry| {
                (
                    entry["action"].as_str().unwrap(),
                    entry["detail"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            actions,
            [
                ("review replied to", "We are sorry.\nPlease call us."),
                ("review hidden", "Insults our packers"),
                ("review shown", ""),
                ("review replied to", ""),
            ]
        );
        let response = moderate(&admin, "no-such-review", json!({})).await;
        response.expect_code(404, "review_not_found", "");
        assert_consistent(shop).await;
    });
}

#[test]
fn erased_customer_leaves_no_review() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, _) = customer_who_received(shop, "review-erased").await;
        let fields = [
            ("productId", "review-erased"),
            ("stars", "3"),
            ("text", "My words"),
        ];
        let photos = vec![jpeg(40, 40, 9)];
        let response = send_form(
            &customer,
            Method::POST,
            "/api/user/reviews",
            &fields,
            photos,
        )
        .await;
        let review = response.expect_ok();
        let (id, image) = (
            id_of(&review),
            review["review"]["images"][0].as_str().unwrap().to_owned(),
        );
        let path = format!("/api/user/reviews/{id}");
        let edit = json!({ "stars": 2, "text": "Other words" });
        customer.put(&path, edit).await.expect_ok();
        let export = customer.get("/api/user/export").await.expect_ok();
        assert_eq!(export["reviews"][0]["text"], "Other words");
        assert_eq!(export["reviews"][0]["edits"][0]["text"], "My words");
        let hide = json!({ "hidden": true, "reason": "Names Asha" });
        moderate(&admin, &id, hide).await.expect_ok();
        moderate(&admin, &id, json!({ "hidden": false }))
            .await
            .expect_ok();
        assert_eq!(reviews(shop, "review-erased", "").await["total"], 1);

        customer.delete("/api/user").await.expect_ok();
        let page = reviews(shop, "review-erased", "").await;
        assert_eq!((&page["total"], texts(&page).len()), (&json!(0), 0));
        assert_eq!(page["distribution"], json!([0, 0, 0, 0, 0]));
        assert_eq!(shop.visitor().get(&image).await.status, 404);
        let log = admin.get(&format!("/api/admin/audit?about={id}")).await;
        assert!(!log.text().contains("Asha"), "{}", log.text());
        for table in ["review_photos", "review_edits", "review_votes"] {
            let delete = format!("delete from {table} where review_id = '{id}'");
            assert_eq!(shop.sql(&delete).await, 0, "{table}");
        }
        assert_consistent(shop).await;
    });
}

#[test]
fn check_finds_a_wrong_rating_and_a_review_of_a_stranger() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (customer, _) = customer_who_received(shop, "review-checked").await;
            let published = publish(&customer, "review-checked", 4, "")
                .await
                .expect_ok();
            let id = id_of(&published);
            assert_consistent(shop).await;
            for (breaking, repairing) in [
                (
                    "update products set stars_4 = 2 where id = 'review-checked'".to_owned(),
                    "update products set stars_4 = 1 where id = 'review-checked'".to_owned(),
                ),
                (
                    format!("update reviews set helpful = 1 where id = '{id}'"),
                    format!("update reviews set helpful = 0 where id = '{id}'"),
                ),
                (
                    format!("update reviews set product_id = 'chai-masala' where id = '{id}'"),
                    format!("update reviews set product_id = 'review-checked' where id = '{id}'"),
                ),
            ] {
                assert_eq!(shop.sql(&breaking).await, 1, "{breaking}");
                let report = check_consistency(&shop.second_instance).await.unwrap();
                shop.sql(&repairing).await;
                assert!(!report.is_consistent(), "{breaking}");
                let named = report.to_string();
                assert!(
                    named.contains(&id) || named.contains("review-checked"),
                    "{named}"
                );
            }
            assert_consistent(shop).await;
        },
    );
}
