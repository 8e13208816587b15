//! The owner's list of people: found, changed, deleted; the last admin stays.

use serde_json::{Value, json};

use crate::admin_products::deeds;
use crate::harness::{TestClient, for_each_engine, for_each_engine_fresh};

async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
    user["_id"].as_str().unwrap().to_owned()
}

async fn found(admin: &TestClient, search: &str) -> Vec<Value> {
    let response = admin
        .get(&format!("/api/admin/users?search={search}"))
        .await
        .expect_ok();
    response["users"].as_array().unwrap().clone()
}

#[test]
fn people_are_found_by_part_of_a_name_or_address() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("Findable.Person").await;
        let id = id_of(&customer).await;
        customer
            .put(
                "/api/user/profile",
                json!({ "name": "Zubeida O'Neil 100%" }),
            )
            .await
            .expect_ok();
        for search in [
            "findable.per",
            "FINDABLE",
            "zubeida",
            "O'Neil",
            "100%25",
            "%20zubeida%20",
        ] {
            let people = found(&admin, search).await;
            assert_eq!(people.len(), 1, "{search}");
            assert_eq!(people[0]["_id"], id.as_str());
            assert_eq!(people[0]["role"], "customer");
        }
        for search in ["zub_ida", "zub%25da", "nobody-of-the-kind", "%5C"] {
            assert!(found(&admin, search).await.is_empty(), "{search}");
        }
        let all = found(&admin, "").await;
        assert!(all.len() > 1);
        assert!(all.iter().any(|user| user["_id"] == id.as_str()));
    });
}

#[test]
fn people_come_a_page_at_a_time() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for number in 1..=3 {
            shop.customer(&format!("paged-person-{number}")).await;
        }
        let page = async |query: &str| {
            let path = format!("/api/admin/users?search=paged-person&{query}");
            let response = admin.get(&path).await.expect_ok();
            let users = response["users"].as_array().unwrap();
            let emails: Vec<_> = users.iter().map(|user| user["email"].clone()).collect();
            (emails, response["more"].as_bool().unwrap())
        };
        let (all, more) = page("").await;
        assert_eq!((all.len(), more), (3, false));
        assert_eq!(page("page=1&limit=2").await, (all[..2].to_vec(), true));
        assert_eq!(page("page=2&limit=2").await, (all[2..].to_vec(), false));
        assert_eq!(page("page=1&limit=3").await, (all, false));
        assert_eq!(page("page=3&limit=2").await, (vec![], false));
        for wrong in ["page=0", "limit=0", "limit=1001", "page=x"] {
            let response = admin.get(&format!("/api/admin/users?{wrong}")).await;
            assert_eq!(response.status, 400, "{wrong}");
        }
    });
}

#[test]
fn a_person_is_changed_promoted_and_demoted_and_it_counts_at_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let other = shop.customer("people-promoted").await;
        let id = id_of(&other).await;
        let path = format!("/api/admin/users/{id}");
        assert_eq!(other.get("/api/admin/users").await.status, 403);

        let body = json!({ "name": "  Asha Tai ", "phone": "98765 43210", "role": "admin" });
        let user = admin.put(&path, body).await.expect_ok()["user"].take();
        assert_eq!(
            (&user["name"], &user["role"]),
            (&json!("Asha Tai"), &json!("admin"))
        );
        assert_eq!(
            other.get("/api/admin/users").await.status,
            200,
            "an admin from now on"
        );
        admin
            .put(&path, json!({ "role": "customer" }))
            .await
            .expect_ok();
        let refused = other.get("/api/admin/orders").await;
        assert_eq!(refused.status, 403, "and no longer: {refused:?}");
        assert_eq!(
            other.get("/api/userinfo").await.expect_ok()["user"]["name"],
            "Asha Tai"
        );

        for (body, says) in [
            (json!({ "role": "king" }), "role must be customer or admin"),
            (json!({ "name": " " }), "name is required"),
            (
                json!({ "phone": "12" }),
                "phone must be a 10-digit phone number",
            ),
        ] {
            admin.put(&path, body).await.expect_error(400, says);
        }
        let nobody = admin
            .put("/api/admin/users/nobody", json!({ "name": "X" }))
            .await;
        nobody.expect_error(404, "User not found.");
        let trail = deeds(&admin, &id).await;
        let expected = [
            ("user changed", "Asha Tai, customer"),
            ("user changed", "Asha Tai, admin"),
        ];
        assert_eq!(
            trail,
            expected.map(|(action, detail)| (action.to_owned(), detail.to_owned()))
        );
    });
}

#[test]
fn a_deleted_person_is_out_at_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("people-deleted").await;
        let second_device = shop.customer("people-deleted").await;
        let id = id_of(&customer).await;
        let path = format!("/api/admin/users/{id}");
        admin.delete(&path).await.expect_ok();
        for browser in [&customer, &second_device] {
            browser
                .get("/api/cart/cart")
                .await
                .expect_error(401, "not authenticated");
            assert!(!browser.is_signed_in().await);
        }
        assert!(found(&admin, "people-deleted").await.is_empty());
        admin
            .delete(&path)
            .await
            .expect_error(404, "User not found.");
        admin
            .put(&path, json!({ "name": "X" }))
            .await
            .expect_error(404, "User not found.");
        assert_eq!(
            deeds(&admin, &id).await,
            [("user deleted".to_owned(), String::new())]
        );
        let kept = format!(
            "update users set updated_at = updated_at where id = '{id}' and email = 'people-deleted@it.example'"
        );
        assert_eq!(shop.sql(&kept).await, 1, "it can be brought back");
    });
}

#[test]
fn the_last_admin_stays_one() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let owner = shop.admin().await;
            let id = id_of(&owner).await;
            let path = format!("/api/admin/users/{id}");
            let says = "The last admin cannot be removed or demoted";
            owner
                .put(&path, json!({ "role": "customer" }))
                .await
                .expect_error(409, says);
            owner.delete(&path).await.expect_error(409, says);
            owner.delete("/api/user").await.expect_error(409, says);
            owner
                .put(&path, json!({ "name": "Still Here" }))
                .await
                .expect_ok();
            assert_eq!(owner.get("/api/admin/users").await.status, 200);

            // Of two who demote each other at the same moment one stays.
            let second = shop.customer("second-admin").await;
            let second_id = id_of(&second).await;
            let second_path = format!("/api/admin/users/{second_id}");
            owner
                .put(&second_path, json!({ "role": "admin" }))
                .await
                .expect_ok();
            let demoted = json!({ "role": "customer" });
            let (one, two) = tokio::join!(
                owner.put(&second_path, demoted.clone()),
                second.put(&path, demoted)
            );
            let mut both = [one.status, two.status];
            both.sort_unstable();
            assert!(both == [200, 409] || both == [200, 403], "{both:?}");
            let admins = [
                owner.get("/api/admin/users").await.status,
                second.get("/api/admin/users").await.status,
            ];
            assert_eq!(admins.iter().filter(|status| **status == 200).count(), 1);
        },
    );
}
