//! The page of an order for staff: notes, and correcting the delivery address.

use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::harness::{
    TestClient, TestResponse, for_each_engine, for_each_engine_fresh, read_db, show_order,
};
use crate::stock::{buy, pack};

fn address(line1: &str, version: Option<i64>) -> Value {
    json!({
        "name": "Asha Kulkarni", "phone": "98765 43210", "addressLine1": line1, "addressLine2": "",
        "city": "Nashik", "state": "maharashtra", "pincode": "422001", "version": version,
    })
}

async fn page(admin: &TestClient, id: &str) -> Value {
    admin
        .get(&format!("/api/admin/orders/{id}"))
        .await
        .expect_ok()
}

async fn correct(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    admin
        .put(&format!("/api/admin/orders/{id}/address"), body)
        .await
}

fn last_event(order: &Value) -> &Value {
    order["events"].as_array().unwrap().last().unwrap()
}

#[test]
fn notes_are_added_and_only_staff_see_them() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("noted").await;
        let id = buy(&customer, "goda-masala", 1, 0).await;
        let path = format!("/api/admin/orders/{id}/notes");
        for text in ["She called.\r\nSend it on Monday.", "  Sent by hand  "] {
            let response = admin.post(&path, json!({ "text": text })).await;
            assert_eq!(response.status, 201, "{response:?}");
        }
        let shown = page(&admin, &id).await;
        let notes = shown["notes"].as_array().unwrap();
        let texts: Vec<_> = notes.iter().map(|note| &note["text"]).collect();
        assert_eq!(texts, ["She called.\nSend it on Monday.", "Sent by hand"]);
        assert_eq!(notes[0]["by"], crate::harness::ADMIN);
        assert_eq!(shown["customer"]["email"], "noted@it.example");
        assert_eq!(
            shown["order"]["version"],
            page(&admin, &id).await["order"]["version"],
            "a note changes nothing that another admin acts on"
        );
        let own = show_order(&customer, &id).await.to_string();
        assert!(!own.contains("by hand"));

        let too_long = "x".repeat(2001);
        for (text, message) in [
            (" ", "text is required"),
            (&too_long, "text must be at most 2000 characters"),
        ] {
            let response = admin.post(&path, json!({ "text": text })).await;
            response.expect_error(400, message);
        }
        let unknown = admin
            .post("/api/admin/orders/none/notes", json!({ "text": "x" }))
            .await;
        unknown.expect_error(404, "Order not found.");
    });
}

#[test]
fn deleted_order_has_a_page() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("page-deleted").await;
        let id = buy(&customer, "goda-masala", 1, 0).await;
        let delete = format!("/api/admin/orders/{id}?keepReason=Test");
        admin.delete(&delete).await.expect_ok();
        assert!(page(&admin, &id).await["order"]["deletedAt"].is_string());
        let unknown = admin.get("/api/admin/orders/none").await;
        unknown.expect_error(404, "Order not found.");
    });
}

#[test]
fn address_of_a_paid_order_is_corrected_until_it_is_packed() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("corrected").await;
        let id = buy(&customer, "goda-masala", 1, 0).await;
        let seen = page(&admin, &id).await["order"]["version"].as_i64();
        let changed = correct(&admin, &id, address("7 New Road", seen)).await;
        let order = changed.expect_ok()["order"].take();
        let delivery = &order["deliveryAddress"];
        assert_eq!(delivery["addressLine1"], "7 New Road");
        assert_eq!(delivery["state"], "Maharashtra");
        assert_eq!(delivery["phone"], "+919876543210");
        let event = last_event(&order);
        assert_eq!(
            (&event["kind"], &event["by"]),
            (&json!("address_corrected"), &json!(crate::harness::ADMIN))
        );
        assert_eq!(
            event["text"],
            "Delivery address corrected: Asha Kulkarni, +919876543210, 12 Laxmi Road, Flat 4, Pune, Maharashtra 411030 → \
             Asha Kulkarni, +919876543210, 7 New Road, Nashik, Maharashtra 422001"
        );
        assert_eq!(
            audit_entries(&admin, &id).await,
            [("address corrected".to_owned(), String::new())]
        );

        // Another admin has changed it meanwhile.
        let stale = correct(&admin, &id, address("8 Other Road", seen)).await;
        assert_eq!(stale.status, 409);
        assert!(stale.error_text().contains("has changed"), "{stale:?}");
        // The same address again changes nothing.
        correct(&admin, &id, address("7 New Road", None))
            .await
            .expect_ok();
        let events = page(&admin, &id).await["order"]["events"].take();
        assert_eq!(events, order["events"]);

        pack(&admin, std::slice::from_ref(&id)).await.expect_ok();
        let refused = correct(&admin, &id, address("9 Late Road", None)).await;
        assert_eq!(refused.status, 409);
        assert!(
            refused
                .error_text()
                .ends_with("is packed, so its address cannot be corrected any more."),
            "{refused:?}"
        );
        let order = order["_id"].as_str().unwrap().to_owned();
        let invoices = read_db!(shop, db => db.invoices_of(&[order.as_str().into()]).await?);
        let buyer = format!("{:?}", invoices[0].buyer);
        assert!(buyer.contains("7 New Road"), "{buyer}");
    });
}

#[test]
fn address_is_validated_as_at_checkout() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("corrected-wrong").await;
        let id = buy(&customer, "goda-masala", 1, 0).await;
        for (field, value, message) in [
            ("name", "", "name is required"),
            ("phone", "12", "phone must be a 10-digit phone number"),
            ("addressLine1", " ", "addressLine1 is required"),
            ("city", "", "city is required"),
            (
                "state",
                "Narnia",
                "state must be an Indian state or union territory",
            ),
            ("pincode", "12", "pincode must be 6 digits"),
        ] {
            let mut body = address("1 Road", None);
            body[field] = json!(value);
            let response = correct(&admin, &id, body).await;
            response.expect_error(400, message);
        }
        let unknown = correct(&admin, "none", address("1 Road", None)).await;
        unknown.expect_error(404, "Order not found.");
        let before = show_order(&customer, &id).await;
        assert_eq!(before["deliveryAddress"]["city"], "Pune");
    });
}

/// A shop of its own: the states that it sets with SQL are not consistent.
#[test]
fn address_of_an_unpaid_or_ended_order_is_not_corrected() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("corrected-ended").await;
            let id = buy(&customer, "goda-masala", 1, 0).await;
            for status in ["shipped", "delivered", "cancelled"] {
                shop.sql(&format!(
                    "update orders set order_status = '{status}' where id = '{id}'"
                ))
                .await;
                let refused = correct(&admin, &id, address("1 Road", None)).await;
                assert_eq!(refused.status, 409);
                assert!(
                    refused.error_text().contains(&format!("is {status}")),
                    "{refused:?}"
                );
            }
            shop.sql(&format!(
            "update orders set order_status = 'pending', payment_status = 'failed' where id = '{id}'"
        ))
        .await;
            let refused = correct(&admin, &id, address("1 Road", None)).await;
            assert_eq!(refused.status, 409);
            assert!(refused.error_text().contains("is not paid"), "{refused:?}");
        },
    );
}

/// An order that is packed and one that is corrected at the same time: one of the two is refused, or the packing came last
/// and its invoice has the new address.
#[test]
fn packing_and_correcting_take_turns() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("corrected-race").await;
        for round in 0..4 {
            let id = buy(&customer, "goda-masala", 1, 0).await;
            let line = format!("{round} Race Road");
            let ids = [id.clone()];
            let (corrected, packed) = tokio::join!(
                correct(&admin, &id, address(&line, None)),
                pack(&admin, &ids)
            );
            packed.expect_ok();
            let shown = show_order(&customer, &id).await;
            let has_new = shown["deliveryAddress"]["addressLine1"] == line.as_str();
            assert_eq!(corrected.status == 200, has_new, "{corrected:?}");
            let invoices = read_db!(shop, db => db.invoices_of(&[id.as_str().into()]).await?);
            let buyer = format!("{:?}", invoices[0].buyer);
            assert_eq!(buyer.contains(&line), has_new, "{buyer}");
        }
    });
}
