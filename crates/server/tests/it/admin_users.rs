//! Admin users: search, pagination, role changes and deletion. The last admin cannot be removed.

use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::harness::{TestClient, for_each_engine, for_each_engine_fresh};

async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
    user["_id"].as_str().unwrap().to_owned()
}

async fn search_users(admin: &TestClient, search: &str) -> Vec<Value> {
    let response = admin
        .get(&format!("/api/admin/users?search={search}"))
        .await
        .expect_ok();
    response["users"].as_array().unwrap().clone()
}

#[test]
fn users_are_found_by_part_of_name_or_email() {
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
            let users = search_users(&admin, search).await;
            assert_eq!(users.len(), 1, "{search}");
            assert_eq!(users[0]["_id"], id.as_str());
            assert_eq!(users[0]["role"], "customer");
        }
        for search in ["zub_ida", "zub%25da", "no-such-user", "%5C"] {
            assert!(search_users(&admin, search).await.is_empty(), "{search}");
        }
        let all = search_users(&admin, "").await;
        assert!(all.len() > 1);
        assert!(all.iter().any(|user| user["_id"] == id.as_str()));
    });
}

#[test]
fn user_list_is_paginated() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for number in 1..=3 {
            shop.customer(&format!("paged-user-{number}")).await;
        }
        let page = async |query: &str| {
            let path = format!("/api/admin/users?search=paged-user&{query}");
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
fn role_change_takes_effect_immediately() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let other = shop.customer("users-promoted").await;
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
            "admin access after the promotion"
        );
        admin
            .put(&path, json!({ "role": "customer" }))
            .await
            .expect_ok();
        let rejected = other.get("/api/admin/orders").await;
        assert_eq!(
            rejected.status, 403,
            "no admin access after the demotion: {rejected:?}"
        );
        assert_eq!(
            other.get("/api/userinfo").await.expect_ok()["user"]["name"],
            "Asha Tai"
        );

        for (body, message) in [
            (json!({ "role": "king" }), "role must be customer or admin"),
            (json!({ "name": " " }), "name is required"),
            (
                json!({ "phone": "12" }),
                "phone must be a 10-digit phone number",
            ),
        ] {
            admin.put(&path, body).await.expect_error(400, message);
        }
        let unknown = admin
            .put("/api/admin/users/no-such-user", json!({ "name": "X" }))
            .await;
        unknown.expect_error(404, "User not found.");
        let entries = audit_entries(&admin, &id).await;
        let expected = [
            ("user changed", "Asha Tai, customer"),
            ("user changed", "Asha Tai, admin"),
        ];
        assert_eq!(
            entries,
            expected.map(|(action, detail)| (action.to_owned(), detail.to_owned()))
        );
    });
}

#[test]
fn session_of_a_deleted_user_ends_immediately() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("users-deleted").await;
        let second_device = shop.customer("users-deleted").await;
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
        assert!(search_users(&admin, "users-deleted").await.is_empty());
        admin
            .delete(&path)
            .await
            .expect_error(404, "User not found.");
        admin
            .put(&path, json!({ "name": "X" }))
            .await
            .expect_error(404, "User not found.");
        assert_eq!(
            audit_entries(&admin, &id).await,
            [("user deleted".to_owned(), String::new())]
        );
        let saved = format!(
            "update users set updated_at = updated_at where id = '{id}' and email = 'users-deleted@it.example'"
        );
        assert_eq!(shop.sql(&saved).await, 1, "the row is kept");
    });
}

#[test]
fn last_admin_cannot_be_removed_or_demoted() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let id = id_of(&admin).await;
            let path = format!("/api/admin/users/{id}");
            let message = "The last admin cannot be removed or demoted";
            admin
                .put(&path, json!({ "role": "customer" }))
                .await
                .expect_error(409, message);
            admin.delete(&path).await.expect_error(409, message);
            admin.delete("/api/user").await.expect_error(409, message);
            admin
                .put(&path, json!({ "name": "Still Here" }))
                .await
                .expect_ok();
            assert_eq!(admin.get("/api/admin/users").await.status, 200);

            // If two admins demote each other concurrently, one stays an admin.
            let second = shop.customer("second-admin").await;
            let second_id = id_of(&second).await;
            let second_path = format!("/api/admin/users/{second_id}");
            admin
                .put(&second_path, json!({ "role": "admin" }))
                .await
                .expect_ok();
            let demoted = json!({ "role": "customer" });
            let (one, two) = tokio::join!(
                admin.put(&second_path, demoted.clone()),
                second.put(&path, demoted)
            );
            let mut both = [one.status, two.status];
            both.sort_unstable();
            assert!(both == [200, 409] || both == [200, 403], "{both:?}");
            let admins = [
                admin.get("/api/admin/users").await.status,
                second.get("/api/admin/users").await.status,
            ];
            assert_eq!(admins.iter().filter(|status| **status == 200).count(), 1);
        },
    );
}
