//! The search of the console.

use serde_json::{Value, json};

use crate::harness::{TestClient, for_each_engine};
use crate::stock::{buy, pack};

async fn search(admin: &TestClient, text: &str) -> Value {
    let path = format!(
        "/api/admin/search?q={}",
        text.replace(' ', "%20").replace('#', "%23")
    );
    admin.get(&path).await.expect_ok()
}

/// The ids of a group.
fn ids(group: &Value) -> Vec<&str> {
    let found = group.as_array().unwrap().iter();
    found.map(|one| one["_id"].as_str().unwrap()).collect()
}

#[test]
fn orders_are_found_by_each_of_their_numbers() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("search-numbers").await;
        let order = buy(&customer, "goda-masala", 1, 0).await;
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        let tracking =
            json!({ "courier": "Bluedart", "trackingNumber": format!("bd{}", &order[24..]) });
        let path = format!("/api/admin/orders/{order}/tracking");
        admin.put(&path, tracking).await.expect_ok();
        let shown = admin
            .get(&format!("/api/admin/orders/{order}"))
            .await
            .expect_ok();
        let invoice = shown["order"]["invoice"]["number"]
            .as_str()
            .unwrap()
            .to_owned();

        let short = order[28..].to_uppercase();
        for (text, matched, number) in [
            (order.clone(), "order", String::new()),
            (order.to_uppercase(), "order", String::new()),
            (short.clone(), "order", String::new()),
            (format!("#{}", short.to_lowercase()), "order", String::new()),
            (short[..6].to_owned(), "order", String::new()),
            (
                format!(" BD{} ", &order[24..].to_uppercase()),
                "tracking",
                format!("bd{}", &order[24..]),
            ),
            (invoice.to_lowercase(), "invoice", invoice.clone()),
        ] {
            let found = search(&admin, &text).await;
            let mut orders = found["orders"].as_array().unwrap().iter();
            let own = orders.find(|one| one["_id"] == order.as_str());
            let own = own.unwrap_or_else(|| panic!("{text}: {found}"));
            assert_eq!(
                (&own["matched"], &own["number"], &own["orderNumber"]),
                (&json!(matched), &json!(number), &json!(short)),
                "{text}"
            );
        }
        let nothing = search(&admin, "bd99999999nothing").await;
        assert_eq!(
            nothing,
            json!({ "orders": [], "customers": [], "products": [] })
        );
    });
}

#[test]
fn customers_and_products_are_found_at_most_five_of_each() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for number in 0..6 {
            shop.customer(&format!("search-many-{number}")).await;
        }
        let found = search(&admin, "search-many").await;
        assert_eq!(ids(&found["customers"]).len(), 5);
        let found = search(&admin, "SEARCH-MANY-3").await;
        assert_eq!(found["customers"][0]["email"], "search-many-3@it.example");
        // Hidden products, too.
        let found = search(&admin, "hidden mas").await;
        assert_eq!(
            found["products"],
            json!([{ "_id": "hidden-masala", "name": "Hidden Masala", "isVisible": false }])
        );
        for wrong in ["", "a", " a ", &"x".repeat(101)] {
            let path = format!("/api/admin/search?q={}", wrong.replace(' ', "%20"));
            let response = admin.get(&path).await;
            response.expect_error(400, "q must have 2 to 100 characters");
        }
    });
}
