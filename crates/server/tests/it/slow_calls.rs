//! One slow call of the gateway or of the delivery partner delays nothing else.

use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::Shop;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::courier::{
    AssignedCourier, Courier, CourierError, CourierQuote, CourierWebhook, FoundParcel,
    ParcelRequest, Tracking,
};
use mirasa_app::ports::payment::WebhookError;
use mirasa_domain::address::Pincode;
use mirasa_domain::shipment::PartnerIds;
use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::harness::{
    HeldCalls, RefundDesk, TestShop, amount, eventually, for_each_engine_fresh, now_ms, read_db,
    ship, show_order,
};

const DAY_MS: i64 = 86_400_000;

#[test]
fn slow_refund_delays_no_other() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "slow-refund", 2).await;
            let slow = desk.refund(&orders[0], amount(100)).await.unwrap();
            desk.calls().hold(slow.id.as_str());
            let others = async {
                eventually("the slow one is sent", async || {
                    desk.calls().begun(slow.id.as_str()) == 1
                })
                .await;
                let later = desk.refund(&orders[1], amount(100)).await.unwrap();
                eventually("the later one is recorded", async || {
                    let id = later.id.clone();
                    let found = read_db!(shop, db => db.refund(&id).await?).unwrap();
                    found.poll_count == 1
                })
                .await;
                desk.calls().release();
            };
            let (processed, ()) = tokio::join!(desk.instance.process_refunds(), others);
            assert_eq!(processed.unwrap(), 2);
            assert_eq!(desk.calls().begun(slow.id.as_str()), 1, "it was sent once");
            shop.assert_consistent().await;
        },
    );
}

/// A second instance. Its clock is a year ahead, so that the worker of the server never finds what it has leased.
struct Depot {
    instance: Shop,
    courier: Arc<HeldCourier>,
}

struct DepotClock(i64);

impl Clock for DepotClock {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

impl Depot {
    fn open(shop: &TestShop) -> Depot {
        let courier = Arc::new(HeldCourier {
            partner: shop.running.shop.courier.clone().unwrap(),
            polls: HeldCalls::default(),
        });
        let instance = Shop {
            db: shop.second_instance.clone(),
            clock: Arc::new(DepotClock(now_ms() + 365 * DAY_MS)),
            courier: Some(courier.clone()),
            ..shop.running.shop.clone()
        };
        Depot { instance, courier }
    }
}

/// The sandbox. Polls can be held back, by their tracking number.
struct HeldCourier {
    partner: Arc<dyn Courier>,
    polls: HeldCalls,
}

#[async_trait]
impl Courier for HeldCourier {
    async fn quotes(&self, to: Pincode, grams: i64) -> Result<Vec<CourierQuote>, CourierError> {
        self.partner.quotes(to, grams).await
    }

    async fn find_parcel(&self, reference: &str) -> Result<Option<FoundParcel>, CourierError> {
        self.partner.find_parcel(reference).await
    }

    async fn create_parcel(&self, request: ParcelRequest) -> Result<PartnerIds, CourierError> {
        self.partner.create_parcel(request).await
    }

    async fn assign(
        &self,
        parcel: PartnerIds,
        courier_id: Option<i64>,
    ) -> Result<AssignedCourier, CourierError> {
        self.partner.assign(parcel, courier_id).await
    }

    async fn label(&self, parcel: PartnerIds) -> Result<Vec<u8>, CourierError> {
        self.partner.label(parcel).await
    }

    async fn request_pickup(&self, parcel: PartnerIds) -> Result<Option<i64>, CourierError> {
        self.partner.request_pickup(parcel).await
    }

    async fn close_manifest(&self, parcel: PartnerIds) -> Result<(), CourierError> {
        self.partner.close_manifest(parcel).await
    }

    async fn manifest(&self, parcels: &[PartnerIds]) -> Result<Vec<u8>, CourierError> {
        self.partner.manifest(parcels).await
    }

    async fn track(&self, tracking_number: &str) -> Result<Option<Tracking>, CourierError> {
        self.polls.pass(tracking_number).await;
        self.partner.track(tracking_number).await
    }

    async fn cancel(
        &self,
        parcel: PartnerIds,
        tracking_number: Option<&str>,
    ) -> Result<(), CourierError> {
        self.partner.cancel(parcel, tracking_number).await
    }

    fn is_authentic(&self, key: Option<&str>) -> bool {
        self.partner.is_authentic(key)
    }

    fn parse_webhook(
        &self,
        key: Option<&str>,
        body: &[u8],
    ) -> Result<CourierWebhook, WebhookError> {
        self.partner.parse_webhook(key, body)
    }
}

#[test]
fn slow_parcel_delays_no_other() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("slow-parcel", 2).await;
            ship(&admin, &orders).await.expect_ok();
            let parcels = shop.booked(&customer, &orders).await;
            let [slow, other] =
                [0, 1].map(|at: usize| parcels[at]["trackingNumber"].as_str().unwrap());
            let depot = Depot::open(shop);
            let polls = &depot.courier.polls;
            polls.hold(slow);
            let others = async {
                eventually("both are polled", async || {
                    polls.begun(slow) == 1 && polls.begun(other) == 1
                })
                .await;
                // Due for this instance, not for the server.
                let due = format!(
                    "update shipments set due_at = {} where tracking_number = '{other}' and leased_until = 0",
                    now_ms() + DAY_MS
                );
                eventually("the other one is polled again", async || {
                    shop.sql(&due).await;
                    polls.begun(other) > 1
                })
                .await;
                polls.release();
            };
            let (processed, ()) = tokio::join!(depot.instance.process_shipments(), others);
            assert!(processed.unwrap() > 2);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn parcel_that_is_cancelled_while_it_is_polled_is_cancelled_at_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-in-poll", 1).await;
            let shipped = ship(&admin, &orders).await.expect_ok();
            let id = shipped["shipments"][0]["_id"].as_str().unwrap();
            let parcels = shop.booked(&customer, &orders).await;
            let number = parcels[0]["trackingNumber"].as_str().unwrap();
            let depot = Depot::open(shop);
            let polls = &depot.courier.polls;
            polls.hold(number);
            let cancelling = async {
                eventually("it is polled", async || polls.begun(number) > 0).await;
                let path = format!("/api/admin/shipments/{id}/cancel");
                admin.post(&path, json!({})).await.expect_ok();
                eventually("it is cancelled at the partner", async || {
                    shop.partner_parcels(&orders[0]).await[0]["cancelled"] == true
                })
                .await;
                // What the poll hears afterwards changes nothing.
                polls.release();
            };
            // Processing that fails because the machine is busy is repeated, as by the worker.
            let polling = eventually("it was polled", async || {
                depot.instance.process_shipments().await.is_ok() && polls.begun(number) > 0
            });
            tokio::join!(polling, cancelling);
            eventually("the order has no parcel", async || {
                show_order(&customer, &orders[0]).await["shipment"].is_null()
            })
            .await;
            shop.assert_consistent().await;
        },
    );
}
