//! Parcels of a shop without a delivery partner.

use mirasa_server::config::PartnerChoice;
use serde_json::json;

use crate::harness::{COURIER, on_sqlite_fresh, ship, shipment};

#[test]
fn without_a_partner_everything_is_done_by_hand() {
    on_sqlite_fresh(
        |config| config.shipping.partner = PartnerChoice::None,
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("by-hand", 1).await;
            ship(&admin, &orders)
                .await
                .expect_code(409, "no_delivery_partner", "");
            let pune = shop.visitor().get("/api/pincode/411030").await.expect_ok();
            assert_eq!(pune.get("delivery"), None);
            let webhook = shop.visitor().post("/api/courier/webhook", json!({})).await;
            assert_eq!(webhook.status, 404);
            assert_eq!(
                shop.visitor()
                    .get(&format!("{COURIER}/parcels"))
                    .await
                    .status,
                404
            );

            let path = format!("/api/admin/orders/{}/tracking", orders[0]);
            let body = json!({ "courier": "India Post", "trackingNumber": "EM123456789IN", "trackingUrl": "javascript:alert(1)" });
            admin
                .put(&path, body)
                .await
                .expect_code(400, "invalid_input", "trackingUrl");
            let url = "https://www.indiapost.gov.in/track";
            let body = json!({ "courier": "India Post", "trackingNumber": "EM123456789IN", "trackingUrl": url });
            admin.put(&path, body.clone()).await.expect_ok();
            admin.put(&path, body).await.expect_ok();
            let status = format!("/api/admin/orders/{}/status", orders[0]);
            admin
                .put(&status, json!({ "orderStatus": "shipped" }))
                .await
                .expect_ok();
            let parcel = shipment(&customer, &orders[0]).await;
            assert_eq!(parcel["status"], "in_transit");
            assert_eq!(
                (&parcel["courier"], &parcel["trackingUrl"]),
                (&json!("India Post"), &json!(url))
            );
            let emails = shop.emails_to("by-hand").await;
            let email = emails.iter().find(|email| email.kind == "shipped").unwrap();
            assert!(
                email.text_body.contains("India Post EM123456789IN"),
                "{}",
                email.text_body
            );
            shop.assert_consistent().await;
        },
    );
}
