//! Packing, shipping and printing several orders when one is refused, the partner is away, or the server is killed.

use serde_json::json;

use crate::batch_packing::make_too_old;
use crate::batches::{new_product, receive};
use crate::cancellation::cancel;
use crate::harness::crash::{
    ShopFolder, admin as admin_of, customer_with_paid_order, returning, send_into_crash,
    wait_for_crash,
};
use crate::harness::{eventually, for_each_engine_fresh, in_runtime};
use crate::pack_and_ship::{
    PATH, order_ids, pages, paid_orders, papers, papers_of, press, rows, short, waiting,
};
use crate::stock::{buy, pack};

#[test]
fn order_that_is_refused_does_not_stop_the_others() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let product = new_product(shop, "refused-old", 0).await;
            receive(&admin, product, "O", 45, 1_000).await;
            let customer = shop.customer("refused").await;
            let too_old = buy(&customer, product, 1, 0).await;
            make_too_old(shop, product).await;
            let (_, orders) = paid_orders(shop, "refused", 4).await;
            let [cancelled, asked, unserved, good] = &orders[..] else {
                panic!("four orders")
            };
            let shown = rows(&waiting(&admin).await);
            assert_eq!(shown.len(), 5);
            let problem = shown[0]["problem"].as_str().unwrap();
            assert!(problem.contains("no batch with at least"), "{problem}");
            // Meanwhile one is cancelled, and the customer of a packed one asks to cancel it.
            cancel(&customer, cancelled).await.expect_ok();
            pack(&admin, std::slice::from_ref(asked)).await.expect_ok();
            cancel(&customer, asked).await.expect_ok();
            // The partner does not carry to the islands.
            shop.sql(&format!(
                "update orders set address = replace(address, '411030', '744101') where id = '{unserved}'"
            ))
            .await;

            let result = press(&admin, &shown).await.expect_ok();
            let refused = result["refused"].as_array().unwrap();
            let code = |id: &str| {
                let row = refused.iter().find(|row| row["orderId"] == id);
                row.unwrap()["code"].as_str().unwrap()
            };
            assert_eq!(code(&too_old), "batch_too_old");
            assert_eq!(code(cancelled), "order_not_packable");
            assert_eq!(code(asked), "cancellation_requested");
            assert_eq!(result["done"], json!([unserved, good]));
            shop.booked(&customer, std::slice::from_ref(good)).await;
            eventually("the partner has refused", async || {
                let shown = rows(&waiting(&admin).await);
                let row = shown.iter().find(|row| row["order"]["_id"] == **unserved);
                row.unwrap()["error"] == "No courier serves 744101"
            })
            .await;
            let file = papers(&admin, &orders).await;
            assert_eq!(pages(&file, &orders), papers_of(std::slice::from_ref(good)));
            let left_out: Vec<_> = [cancelled, asked, unserved].map(|id| short(id)).into();
            assert_eq!(file.header("x-left-out"), left_out.join(","));

            // Another press changes nothing for the others, and asks the partner about this one again.
            let shown = rows(&waiting(&admin).await);
            assert_eq!(order_ids(&shown), [too_old.as_str(), unserved.as_str()]);
            let result = press(&admin, &shown).await.expect_ok();
            assert_eq!(result["done"], json!([unserved]));
            for id in [unserved, good] {
                assert_eq!(shop.partner_parcels(id).await.len(), 1);
            }
            papers(&admin, std::slice::from_ref(unserved))
                .await
                .expect_code(409, "label_not_ready", "");
        },
    );
}

#[test]
fn parcels_that_were_not_booked_are_booked_by_another_press() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = paid_orders(shop, "partner-away", 2).await;
            shop.inject_courier_faults(json!({ "down": true })).await;
            let shown = rows(&waiting(&admin).await);
            press(&admin, &shown).await.expect_ok();
            eventually("the owner sees why", async || {
                let shown = rows(&waiting(&admin).await);
                shown.iter().all(|row| row["error"].is_string())
            })
            .await;
            papers(&admin, &orders)
                .await
                .expect_code(409, "label_not_ready", "");
            shop.inject_courier_faults(json!({})).await;
            let shown = rows(&waiting(&admin).await);
            let result = press(&admin, &shown).await.expect_ok();
            assert_eq!(result["done"], json!(orders));
            shop.booked(&customer, &orders).await;
            for id in &orders {
                assert_eq!(shop.partner_parcels(id).await.len(), 1);
            }
            let file = papers(&admin, &orders).await;
            assert_eq!(pages(&file, &orders), papers_of(&orders));
            assert_eq!(file.header("x-left-out"), "");
        },
    );
}

/// Makes the next step of each parcel due.
const HURRY: &str = "update shipments set due_at = 0, leased_until = 0 where step <> 'done'";

#[test]
fn crash_between_the_steps_packs_and_ships_once() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (at, point) in ["packing orders", "shipping orders", "courier assigned"]
            .into_iter()
            .enumerate()
        {
            let served = folder.start();
            let email = format!("pack-and-ship-{at}@it.example");
            let (customer, order) = customer_with_paid_order(&served, &email).await;
            let id = order["_id"].as_str().unwrap().to_owned();
            let admin = admin_of(&served).await;
            drop(served);

            let served = folder.start_with_failpoint(point);
            let two = returning(&admin, &served);
            let request = two.request(http::Method::POST, PATH);
            let request = request.json(&json!({ "orders": [id] }));
            send_into_crash(&two, request).await;
            wait_for_crash(served, point).await;

            let served = folder.start();
            let (customer, admin) = (returning(&customer, &served), returning(&admin, &served));
            let shown = rows(&waiting(&admin).await);
            assert_eq!(order_ids(&shown), [id.as_str()], "{point}: it still waits");
            let result = press(&admin, &shown).await.expect_ok();
            assert_eq!(result["done"], json!([id]), "{point}");
            let is_ready = async || {
                let shown = rows(&waiting(&admin).await);
                shown.len() == 1 && shown[0]["stage"] == "print"
            };
            folder
                .hurry_until(HURRY, "the label is there", is_ready)
                .await;
            let ids = [id.clone()];
            let file = papers(&admin, &ids).await;
            assert_eq!(pages(&file, &ids), papers_of(&ids), "{point}");
            let record = customer.get("/sandbox/shiprocket/record").await.expect_ok();
            let reference = id.replace('-', "");
            let parcels = record["parcels"].as_array().unwrap().iter();
            let own =
                parcels.filter(|one| one["reference"].as_str().unwrap().starts_with(&reference));
            assert_eq!(own.count(), 1, "{point}");
            let invoices = format!("select count(*) from documents where order_id = '{id}'");
            assert_eq!(folder.count(&invoices), 1, "{point}");
            drop(served);
            folder.assert_consistent(point);
        }
    });
}

#[test]
fn order_that_was_refunded_after_its_booking_is_not_printed() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = paid_orders(shop, "refunded-label", 2).await;
            press(&admin, &rows(&waiting(&admin).await))
                .await
                .expect_ok();
            shop.booked(&customer, &orders).await;
            let path = format!("/api/admin/orders/{}/refunds", orders[0]);
            let refund = json!({ "reason": "She does not want it" });
            admin.post(&path, refund).await.expect_ok();
            assert_eq!(order_ids(&rows(&waiting(&admin).await)), [&orders[1]]);
            let file = papers(&admin, &orders).await;
            assert_eq!(file.header("x-left-out"), short(&orders[0]));
            assert_eq!(pages(&file, &orders), papers_of(&orders[1..]));
            assert_eq!(papers(&admin, &orders[..1]).await.status, 409);
        },
    );
}
