//! Customers as admins see them: the list with its sums, one customer, and the sender of a message.

use serde_json::{Value, json};

use crate::harness::{TestClient, TestShop, for_each_engine, for_each_engine_fresh};
use crate::messages::send_message;
use crate::stock::buy;

const CUSTOMERS: &str = "/api/admin/customers";

async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
    user["_id"].as_str().unwrap().to_owned()
}

/// The emails of the list, in its order, without the domain.
async fn list(admin: &TestClient, query: &str) -> Vec<String> {
    let list = admin.get(&format!("{CUSTOMERS}?{query}")).await.expect_ok();
    let customers = list["customers"].as_array().unwrap().iter();
    customers
        .map(|one| one["email"].as_str().unwrap().replace("@it.example", ""))
        .collect()
}

async fn refund(admin: &TestClient, order: &str, amount: i64) {
    let body = json!({ "amount": amount, "reason": "Goodwill" });
    let path = format!("/api/admin/orders/{order}/refunds");
    admin.post(&path, body).await.expect_ok();
}

#[test]
fn list_has_the_sums_of_each_customer_and_is_sorted_by_them() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (early, late) = (
                shop.customer("sums-early").await,
                shop.customer("sums-late").await,
            );
            shop.customer("sums-none").await;
            let first = buy(&early, "goda-masala", 2, 1).await;
            buy(&early, "goda-masala", 1, 0).await;
            buy(&late, "goda-masala", 1, 0).await;
            let rank = async |query: &str| {
                let mut all = list(&admin, query).await;
                all.retain(|name| name.starts_with("sums-"));
                all
            };
            assert_eq!(rank("").await, ["sums-late", "sums-early", "sums-none"]);
            assert_eq!(
                rank("sort=last_order").await,
                ["sums-late", "sums-early", "sums-none"]
            );
            assert_eq!(
                rank("sort=spent").await,
                ["sums-early", "sums-late", "sums-none"]
            );

            let of = async |name: &str| {
                let path = format!("{CUSTOMERS}?search={name}");
                let list = admin.get(&path).await.expect_ok();
                assert_eq!(list["total"], 1, "{list}");
                list["customers"][0].clone()
            };
            let before = of("sums-early").await;
            assert_eq!(before["orders"], 2);
            assert_eq!(before["phone"], "+919876543210", "of the default address");
            let order = admin
                .get(&format!("/api/admin/orders/{first}"))
                .await
                .expect_ok();
            let (spent, paid) = (&before["spentAmount"], &order["order"]["totalAmount"]);
            assert!(spent.as_f64().unwrap() > paid.as_f64().unwrap());

            refund(&admin, &first, 20).await;
            let after = of("sums-early").await;
            assert_eq!(
                after["spentAmount"].as_f64().unwrap(),
                spent.as_f64().unwrap() - 20.0
            );
            let none = of("sums-none").await;
            assert_eq!(
                (&none["orders"], &none["spentAmount"], &none["lastOrderAt"]),
                (&json!(0), &json!(0), &Value::Null)
            );
            // An unpaid order counts, but nothing was spent on it. A deleted one does not count.
            shop.sql(&format!(
                "update orders set deleted_at = 1 where id = '{first}'"
            ))
            .await;
            assert_eq!(of("sums-early").await["orders"], 1);
        },
    );
}

#[test]
fn customers_are_found_by_name_email_or_phone_and_paged() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("Listed.Person").await;
        let profile = json!({ "name": "Zarina D'Mello", "phone": "97111 22233" });
        customer.put("/api/user/profile", profile).await.expect_ok();
        let other = shop.customer("listed.friend").await;
        let address = json!({
            "addressName": "Home", "name": "Farah", "phone": "9711144455", "addressLine1": "1 Road",
            "city": "Pune", "state": "Maharashtra", "pincode": "411030",
        });
        other.post("/api/addresses", address).await.expect_ok();
        for search in [
            "zarina",
            "d'mello",
            "LISTED.PER",
            "97111%2022233",
            "9711122",
        ] {
            let found = list(&admin, &format!("search={search}")).await;
            assert_eq!(found, ["listed.person"], "{search}");
        }
        for search in ["%2B91%2097111%2044455", "09711144455", "listed.fr"] {
            let found = list(&admin, &format!("search={search}")).await;
            assert_eq!(found, ["listed.friend"], "{search}");
        }
        assert!(list(&admin, "search=97111999").await.is_empty());

        let first = list(&admin, "search=listed.&limit=1").await;
        let second = list(&admin, "search=listed.&limit=1&page=2").await;
        assert_eq!((first.len(), second.len()), (1, 1));
        assert_ne!(first, second);
        let path = format!("{CUSTOMERS}?search=listed.&limit=1&page=2");
        let page = admin.get(&path).await.expect_ok();
        assert_eq!(
            [&page["total"], &page["page"], &page["pages"]],
            [&json!(2), &json!(2), &json!(2)]
        );
        let wrong = admin.get(&format!("{CUSTOMERS}?sort=age")).await;
        wrong.expect_error(400, "sort must be last_order or spent");
    });
}

#[test]
fn customer_has_everything_about_them() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("known-customer").await;
        let id = id_of(&customer).await;
        let order = buy(&customer, "goda-masala", 1, 2).await;
        send_message(&admin, "Known-Customer@it.example", "Where is it, known?").await;
        let path = format!("{CUSTOMERS}/{id}");
        let found = admin.get(&path).await.expect_ok();
        assert_eq!(found["customer"]["email"], "known-customer@it.example");
        assert_eq!(found["orders"][0]["_id"], order.as_str());
        assert_eq!(
            found["orders"][0]["packs"],
            "1 × Goda Masala (50 g), 2 × Goda Masala (100 g)"
        );
        assert_eq!(found["messages"][0]["message"], "Where is it, known?");
        assert_eq!(found["addresses"][0]["city"], "Pune");
        assert_eq!(
            (&found["problems"], &found["reviews"]),
            (&json!([]), &json!([]))
        );
        let unknown = admin.get(&format!("{CUSTOMERS}/nobody")).await;
        unknown.expect_error(404, "User not found.");
    });
}

#[test]
fn deleted_accounts_show_no_personal_data() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for (name, is_erased) in [("gone-erased", true), ("gone-deleted", false)] {
            let customer = shop.customer(name).await;
            let id = id_of(&customer).await;
            let order = buy(&customer, "goda-masala", 1, 0).await;
            send_message(&admin, &TestShop::email(name), &format!("I am {name}")).await;
            let path = format!("{CUSTOMERS}/{id}");
            assert!(admin.get(&path).await.expect_ok()["customer"]["deletedAt"].is_null());
            if is_erased {
                customer.delete("/api/user").await.expect_ok();
            } else {
                let user = format!("/api/admin/users/{id}");
                admin.delete(&user).await.expect_ok();
            }
            assert!(list(&admin, &format!("search={name}")).await.is_empty());
            let found = admin.get(&path).await.expect_ok();
            assert!(found["customer"]["deletedAt"].is_string());
            assert_eq!(found["orders"][0]["_id"], order.as_str());
            let text = found.to_string().to_lowercase();
            for personal in [name, "9876543210", "laxmi", "asha"] {
                assert!(!text.contains(personal), "{personal}: {found}");
            }
            let search = admin.get("/api/admin/search?q=gone-").await.expect_ok();
            assert_eq!(search["customers"], json!([]));
        }
    });
}

#[test]
fn message_names_the_customer_who_sent_it() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("sender-known").await;
        let order = buy(&customer, "goda-masala", 1, 0).await;
        let sender = async |email: &str, text: &str| {
            let id = send_message(&admin, email, text).await;
            let path = format!("/api/admin/messages/{id}/sender");
            admin.get(&path).await.expect_ok()
        };
        let known = sender("Sender-Known@it.example", "About my order, sender").await;
        assert_eq!(known["customer"]["email"], "sender-known@it.example");
        assert_eq!(known["orders"][0]["_id"], order.as_str());
        let unknown = sender("sender-unknown@it.example", "Hello from a sender").await;
        assert_eq!(unknown, json!({ "customer": null, "orders": [] }));
        let missing = admin.get("/api/admin/messages/none/sender").await;
        missing.expect_error(404, "Message not found.");
    });
}
