//! Helpers for tests with parcels: packed orders, the sandbox courier and its faults.

use http::Method;
use serde_json::{Value, json};

use super::{PendingPayment, TestClient, TestResponse, TestShop, eventually, saved};

pub const COURIER: &str = "/sandbox/shiprocket";

impl TestShop {
    pub async fn inject_courier_faults(&self, settings: Value) {
        let visitor = self.visitor();
        let reset = visitor.delete(&format!("{COURIER}/faults")).await;
        assert_eq!(reset.status, 200, "{reset:?}");
        let response = visitor.post(&format!("{COURIER}/faults"), settings).await;
        assert_eq!(response.status, 200, "{response:?}");
    }

    /// The partner's parcels of an order.
    pub async fn partner_parcels(&self, order_id: &str) -> Vec<Value> {
        let record = self.visitor().get(&format!("{COURIER}/record")).await;
        let reference = order_id.replace('-', "");
        let parcels = record.expect_ok()["parcels"].take();
        let parcels: Vec<Value> = serde_json::from_value(parcels).unwrap();
        parcels
            .into_iter()
            .filter(|parcel| {
                parcel["reference"]
                    .as_str()
                    .unwrap()
                    .starts_with(&reference)
            })
            .collect()
    }

    /// Moves a parcel as the sandbox's page does.
    pub async fn move_parcel(&self, tracking_number: &str, to: &str) {
        let visitor = self.visitor();
        let path = format!("{COURIER}/parcels/{tracking_number}");
        let request = visitor.request(Method::POST, &path).form(&[("to", to)]);
        assert_eq!(visitor.send(request).await.status, 303, "{to}");
    }

    /// Makes the worker do the next step of each parcel now, instead of after its delay.
    pub async fn hurry_parcels(&self) {
        self.sql("update shipments set due_at = 0 where step <> 'done' and leased_until = 0")
            .await;
    }

    /// A customer with paid and packed orders.
    pub async fn packed_orders(&self, name: &str, count: usize) -> (TestClient, Vec<String>) {
        let customer = self.customer(name).await;
        let home = customer.home().await;
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(self.paid_order_to(&customer, &home).await);
        }
        let admin = self.admin().await;
        let body = json!({ "orders": ids });
        saved(async || admin.put("/api/admin/orders/packed", body.clone()).await).await;
        (customer, ids)
    }

    pub async fn paid_order(&self, customer: &TestClient) -> String {
        let home = customer.home().await;
        self.paid_order_to(customer, &home).await
    }

    async fn paid_order_to(&self, customer: &TestClient, home: &str) -> String {
        customer.add("goda-masala", 1, 1).await;
        let payment = PendingPayment::from_response(&customer.check_out(home).await);
        customer.submit_payment(&payment, "pay").await;
        let settled = customer.settled_result(&payment).await;
        settled["order"]["_id"].as_str().unwrap().to_owned()
    }

    /// Waits until all steps before the tracking are done. Returns the parcel of each order.
    pub async fn booked(&self, customer: &TestClient, orders: &[String]) -> Vec<Value> {
        let mut parcels = Vec::new();
        for id in orders {
            eventually("the parcel is booked", async || {
                self.hurry_parcels().await;
                // A step that fails because the machine is busy is repeated, as by the worker.
                let _ = self.running.shop.process_shipments().await;
                let shown = shipment(customer, id).await;
                shown["status"] == "ready" && self.steps_left(id).await == 0
            })
            .await;
            parcels.push(shipment(customer, id).await);
        }
        parcels
    }

    async fn steps_left(&self, order_id: &str) -> u64 {
        let touch = format!(
            "update shipments set status = status where order_id = '{order_id}' and step not in ('track', 'done')"
        );
        self.sql(&touch).await
    }
}

/// `order.shipment`, as its customer sees it.
pub async fn shipment(customer: &TestClient, order_id: &str) -> Value {
    show_order(customer, order_id).await["shipment"].take()
}

pub async fn show_order(customer: &TestClient, order_id: &str) -> Value {
    let response = customer.get(&format!("/api/user/orders/{order_id}")).await;
    response.expect_ok()["order"].take()
}

pub async fn ship(admin: &TestClient, orders: &[String]) -> TestResponse {
    let body = json!({ "orders": orders });
    admin.post("/api/admin/shipments", body).await
}
