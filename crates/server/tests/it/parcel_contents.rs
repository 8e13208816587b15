//! Packs that are refunded, or due again, after the partner has heard of the parcel and before it is booked: what is booked is
//! what is sent, and the shop knows it.

use mirasa_domain::order::Order;
use mirasa_domain::shipment::Shipment;
use serde_json::{Value, json};

use crate::harness::{
    RefundDesk, TestClient, TestShop, eventually, for_each_engine_fresh, packs, read_db, ship,
};

const BOTH_PACKS: &str = "1 x Goda Masala (50 g), 1 x Goda Masala (100 g)";
const SMALL_PACK: &str = "1 x Goda Masala (50 g)";

async fn run_worker(shop: &TestShop) {
    shop.hurry_parcels().await;
    let _ = shop.running.shop.process_shipments().await;
}

/// Ships the order while these calls fail, and waits until the partner has its parcel.
async fn create_only(shop: &TestShop, admin: &TestClient, order: &str, faults: Value) {
    shop.inject_courier_faults(faults).await;
    ship(admin, &[order.to_owned()]).await.expect_ok();
    eventually("the partner has the parcel", async || {
        run_worker(shop).await;
        !shop.partner_parcels(order).await.is_empty()
    })
    .await;
}

async fn refund_large_pack(admin: &TestClient, order: &str) {
    let lines = json!([{ "productId": "goda-masala", "qty_100g": 1 }]);
    let body = json!({ "lines": lines, "reason": "Torn" });
    let path = format!("/api/admin/orders/{order}/refunds");
    admin.post(&path, body).await.expect_ok();
}

async fn shipments_of(shop: &TestShop, order: &str) -> Vec<Shipment> {
    let ids = [order.into()];
    read_db!(shop, db => db.shipments_of(&ids).await?)
}

fn item_price(order: &Order, contents: &str) -> i64 {
    let total = order.state.total.get();
    let small = order.lines[0].prices.of_50g.unwrap().get();
    if contents == SMALL_PACK { small } else { total }
}

/// The order has one parcel that is not cancelled. It is booked with these packs, and the shop has the same weight.
async fn assert_booked(
    shop: &TestShop,
    customer: &TestClient,
    order: &str,
    contents: &str,
    grams: i64,
) {
    shop.booked(customer, &[order.to_owned()]).await;
    let parcels = shop.partner_parcels(order).await;
    let (cancelled, booked): (Vec<_>, Vec<_>) = parcels
        .into_iter()
        .partition(|parcel| parcel["cancelled"] == true);
    assert_eq!(booked.len(), 1, "{booked:?} {cancelled:?}");
    assert_eq!(booked[0]["contents"], contents);
    #[allow(clippy::cast_precision_loss)] // some grams
    let kilograms = grams as f64 / 1000.0;
    assert_eq!(booked[0]["weight"], kilograms);
    let ids = [order.into()];
    let orders = read_db!(shop, db => db.orders_by_id(&ids).await?);
    let shipments = shipments_of(shop, order).await;
    #[allow(clippy::cast_precision_loss)] // some paise
    let value = item_price(&orders[0], contents) as f64 / 100.0;
    assert_eq!(booked[0]["value"], value);
    assert_eq!(shipments.len(), cancelled.len() + 1, "{shipments:?}");
    for shipment in &shipments {
        let mut all = booked.iter().chain(&cancelled);
        let at_partner = all.find(|parcel| parcel["reference"] == shipment.reference);
        #[allow(clippy::cast_precision_loss)] // some grams
        let stored = shipment.weight_grams as f64 / 1000.0;
        assert_eq!(at_partner.unwrap()["weight"], stored, "{shipment:?}");
    }
}

#[test]
fn packs_refunded_before_the_booking_are_not_booked() {
    for_each_engine_fresh(
        |config| config.shiprocket.timeout_s = 1,
        async |shop| {
            let admin = shop.admin().await;
            // The parcel is created: without a courier, by a request whose response is lost, or without a transport, which is
            // not ordered, or ordered by a request whose response is lost.
            let faults = [
                json!({ "down": true, "calls": ["serviceability"] }),
                json!({ "lost_responses": 1, "down": true, "calls": ["create"] }),
                json!({ "down": true, "calls": ["assign"] }),
                // The worker may find the transport before this test sees the error: then the label stops it.
                json!({ "lost_responses": 1, "down": true, "calls": ["assign", "label"] }),
                json!({ "down": true, "calls": ["label"] }),
            ];
            let (customer, orders) = shop.packed_orders("less-to-book", faults.len()).await;
            for (order, faults) in orders.iter().zip(faults) {
                create_only(shop, &admin, order, faults.clone()).await;
                if faults["calls"] != json!(["create"]) {
                    eventually("the step fails", async || {
                        run_worker(shop).await;
                        shipments_of(shop, order).await[0].error.is_some()
                    })
                    .await;
                }
                refund_large_pack(&admin, order).await;
                shop.inject_courier_faults(json!({})).await;
                assert_booked(shop, &customer, order, SMALL_PACK, 50 + 120).await;
                let ids = [order.as_str().into()];
                let events = read_db!(shop, db => db.events_of(&ids).await?);
                let mut said = events.iter().map(|event| event.detail.as_str());
                assert!(said.any(|text| text.starts_with("Parcel booked again")));
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn packs_refunded_before_the_partner_knows_the_parcel_leave_it() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("less-to-create", 1).await;
            let order = &orders[0];
            // As if no worker had run yet.
            let paused = json!({ "down": true, "calls": ["login", "create"] });
            shop.inject_courier_faults(paused).await;
            ship(&admin, &orders).await.expect_ok();
            let rest = "update shipments set attempts = 0, due_at = 9000000000000000 where leased_until = 0";
            eventually("no worker has it", async || shop.sql(rest).await == 1).await;
            refund_large_pack(&admin, order).await;
            shop.inject_courier_faults(json!({})).await;
            assert_booked(shop, &customer, order, SMALL_PACK, 50 + 120).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn packs_of_a_refund_that_fails_before_the_booking_are_booked() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let desk = RefundDesk::open(shop).await;
            let (customer, orders) = shop.packed_orders("more-to-book", 1).await;
            let ids = [orders[0].as_str().into()];
            let order = read_db!(shop, db => db.orders_by_id(&ids).await?).remove(0);
            let refund = desk.refund(&order, packs("goda-masala", 0, 1)).await;
            let faults = json!({ "down": true, "calls": ["serviceability"] });
            create_only(shop, &admin, &orders[0], faults).await;
            let created = shop.partner_parcels(&orders[0]).await.remove(0);
            assert_eq!(created["contents"], SMALL_PACK);
            desk.fail(&refund.unwrap()).await;
            shop.inject_courier_faults(json!({})).await;
            assert_booked(shop, &customer, &orders[0], BOTH_PACKS, 150 + 120).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn parcel_that_the_owner_cancels_is_not_booked_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = shop.packed_orders("cancelled-again", 1).await;
            let order = &orders[0];
            let faults = json!({ "down": true, "calls": ["serviceability", "cancel"] });
            create_only(shop, &admin, order, faults).await;
            refund_large_pack(&admin, order).await;
            eventually("the parcel is being cancelled", async || {
                run_worker(shop).await;
                shipments_of(shop, order).await[0].books_again
            })
            .await;
            let id = shipments_of(shop, order).await.remove(0).id;
            let path = format!("/api/admin/shipments/{id}/cancel");
            admin.post(&path, json!({})).await.expect_ok();
            shop.inject_courier_faults(json!({})).await;
            eventually("it is cancelled", async || {
                run_worker(shop).await;
                !shipments_of(shop, order).await[0].is_current()
            })
            .await;
            assert_eq!(shipments_of(shop, order).await.len(), 1);
            shop.assert_consistent().await;
        },
    );
}
