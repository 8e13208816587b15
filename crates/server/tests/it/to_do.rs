//! What waits for an admin, and the lists that it leads to.

use mirasa_domain::ist::DAY_MS;
use serde_json::{Value, json};

use crate::batches::receive;
use crate::harness::{
    TestClient, TestShop, eventually, for_each_engine_fresh, now_ms, ship, show_order,
};
use crate::stock::{buy, pack};

async fn to_do(admin: &TestClient) -> Value {
    admin.get("/api/admin/to-do").await.expect_ok()
}

#[track_caller]
fn expect(to_do: &Value, expected: &[(&str, i64)]) {
    let kinds = [
        "toPack",
        "toShip",
        "overdue",
        "toConfirm",
        "keptPayments",
        "problems",
        "cancellations",
        "overdueCancellations",
        "failedRefunds",
        "issues",
        "messages",
        "lowStock",
        "oldBatches",
        "failedEmails",
        "parcels",
        "unscannedParcels",
    ];
    for kind in kinds {
        let count = expected
            .iter()
            .find(|(name, _)| *name == kind)
            .map_or(0, |(_, count)| *count);
        assert_eq!(to_do[kind], count, "{kind}: {to_do}");
    }
}

async fn found(admin: &TestClient, todo: &str) -> Vec<String> {
    let list = admin
        .get(&format!("/api/admin/orders?todo={todo}"))
        .await
        .expect_ok();
    let orders = list["orders"].as_array().unwrap();
    orders
        .iter()
        .map(|order| order["_id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn everything_that_waits_is_counted_and_found() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let now = to_do(&admin).await;
            expect(&now, &[]);
            assert_eq!(
                (&now["unscannedDays"], &now["hasPartner"]),
                (&json!(4), &json!(true))
            );

            let customer = shop.customer("to-do").await;
            let first = buy(&customer, "goda-masala", 1, 0).await;
            let second = buy(&customer, "goda-masala", 1, 0).await;
            expect(&to_do(&admin).await, &[("toPack", 2)]);
            assert_eq!(found(&admin, "pack").await, [second.clone(), first.clone()]);
            let long_ago = now_ms() - 7 * DAY_MS - 1;
            shop.sql(&format!(
                "update orders set created_at = {long_ago} where id = '{first}'"
            ))
            .await;
            expect(&to_do(&admin).await, &[("toPack", 2), ("overdue", 1)]);
            assert_eq!(found(&admin, "overdue").await, [first.as_str()]);
            pack(&admin, std::slice::from_ref(&first)).await.expect_ok();
            expect(
                &to_do(&admin).await,
                &[("toPack", 1), ("toShip", 1), ("overdue", 1)],
            );
            assert_eq!(found(&admin, "ship").await, [first.as_str()]);
            admin.get("/api/admin/orders?todo=dance").await.expect_code(
                400,
                "invalid_input",
                "todo",
            );

            // A parcel that the courier has not scanned for five days.
            ship(&admin, std::slice::from_ref(&first)).await.expect_ok();
            shop.booked(&customer, std::slice::from_ref(&first)).await;
            expect(&to_do(&admin).await, &[("toPack", 1), ("overdue", 1)]);
            let days_ago = |days: i64| now_ms() - days * DAY_MS;
            let age = format!(
                "update shipments set status_at = {}, due_at = {} where leased_until = 0",
                days_ago(5),
                i64::MAX
            );
            // A poll that is under way would store the partner's scans of today.
            eventually("no poll is under way", async || shop.sql(&age).await == 1).await;
            shop.sql(&format!("update shipment_events set at = {}", days_ago(5)))
                .await;
            expect(
                &to_do(&admin).await,
                &[("toPack", 1), ("overdue", 1), ("unscannedParcels", 1)],
            );
            let parcels = admin
                .get("/api/admin/shipments?group=unscanned")
                .await
                .expect_ok();
            assert_eq!(parcels["shipments"][0]["orderId"], first);
            let scan = format!(
                "insert into shipment_events (shipment_id, at, status, activity, place)
             select id, {}, 'in_transit', 'Arrived', 'Nashik' from shipments",
                days_ago(3)
            );
            shop.sql(&scan).await;
            expect(&to_do(&admin).await, &[("toPack", 1), ("overdue", 1)]);

            set_delivered(&admin, &first).await;
            set_delivered(&admin, &second).await;
            expect(&to_do(&admin).await, &[]);
            let problem = format!(
                "insert into order_problems (id, order_id, message, lines, images, state, response, created_at)
                 values ('p1', '{second}', 'Torn', '[]', '[]', 'open', '', 1)"
            );
            shop.sql(&problem).await;
            let message = json!({ "name": "Asha", "email": "asha@it.example", "message": "Hello" });
            shop.visitor()
                .post("/api/api/queries", message)
                .await
                .expect_ok();
            for (at, kind) in ["refund failed", "mail not sent", "late payment"]
                .into_iter()
                .enumerate()
            {
                let issue = format!(
                    "insert into concerns (id, order_id, kind, about, detail, created_at) values ('c{at}', '{first}', '{kind}', 'x', '', 1)"
                );
                shop.sql(&issue).await;
            }
            expect(
                &to_do(&admin).await,
                &[
                    ("problems", 1),
                    ("messages", 1),
                    ("failedRefunds", 1),
                    ("issues", 1),
                ],
            );
            stock_and_emails(shop, &admin).await;
        },
    );
}

#[test]
fn what_waits_is_counted_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("counted-once").await;
            let ended = shop.paid_order(&customer).await;
            let undecided = shop.paid_order(&customer).await;
            for (id, status) in [(&ended, "cancelled"), (&undecided, "N/A")] {
                let body = json!({ "orderStatus": status });
                admin
                    .put(&format!("/api/admin/orders/{id}/status"), body)
                    .await
                    .expect_ok();
            }
            expect(
                &to_do(&admin).await,
                &[("keptPayments", 1), ("toConfirm", 1)],
            );
            assert_eq!(found(&admin, "confirm").await, [undecided.to_string()]);

            // Money that could not be returned is a failed refund, and not also an order without a decision.
            for id in [&ended, &undecided] {
                shop.sql(&format!(
                    "insert into concerns (id, order_id, kind, about, detail, created_at)
                     values ('failed {id}', '{id}', 'refund failed', 'refund of {id}', '', 1)"
                ))
                .await;
            }
            expect(&to_do(&admin).await, &[("failedRefunds", 2)]);
            assert!(found(&admin, "confirm").await.is_empty());
            let groups = async || {
                let issues = admin.get("/api/admin/concerns").await.expect_ok();
                let mut groups: Vec<String> = issues["concerns"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|issue| issue["group"].as_str().unwrap().to_owned())
                    .collect();
                groups.sort();
                groups
            };
            assert_eq!(groups().await, ["", "failedRefunds", "failedRefunds"]);

            shop.sql("update concerns set settled_at = 2 where kind = 'refund failed'")
                .await;
            expect(
                &to_do(&admin).await,
                &[("keptPayments", 1), ("toConfirm", 1)],
            );
            assert_eq!(groups().await, ["keptPayments"]);

            let request = format!(
                "insert into cancellation_requests (id, order_id, requested_at) values ('q', '{undecided}', {})",
                now_ms()
            );
            shop.sql(&request).await;
            expect(
                &to_do(&admin).await,
                &[("keptPayments", 1), ("cancellations", 1)],
            );
        },
    );
}

async fn set_delivered(admin: &TestClient, order: &str) {
    let body = json!({ "orderStatus": "delivered" });
    admin
        .put(&format!("/api/admin/orders/{order}/status"), body)
        .await
        .expect_ok();
}

async fn stock_and_emails(shop: &TestShop, admin: &TestClient) {
    shop.sql("update concerns set settled_at = 2").await;
    shop.sql("update order_problems set state = 'declined', resolved_at = 2")
        .await;
    shop.sql("update contact_queries set read_at = 2").await;
    expect(&to_do(admin).await, &[]);
    shop.set_stock("rasam-powder", "stock_grams", 10).await;
    receive(admin, "chai-masala", "OLD", 44, 100).await;
    receive(admin, "chai-masala", "NEW", 45, 100).await;
    expect(&to_do(admin).await, &[("lowStock", 1), ("oldBatches", 1)]);

    shop.sql("update mails set sent_at = 1").await;
    let email = |id: &str, tries: i64| {
        format!(
            "insert into mails (id, kind, recipient, subject, text_body, html_body, created_at, tries, last_error, next_try_at, leased_until)
             values ('{id}', 'reply', 'gone@it.example', 'Your question', '', '', 5, {tries}, 'no such mailbox', {}, 0)",
            i64::MAX
        )
    };
    shop.sql(&email("e-4", 4)).await;
    shop.sql(&email("e-5", 5)).await;
    expect(
        &to_do(admin).await,
        &[("lowStock", 1), ("oldBatches", 1), ("failedEmails", 1)],
    );
    let failed = admin.get("/api/admin/failed-emails").await.expect_ok();
    let failed = failed["emails"].as_array().unwrap();
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["recipient"], &failed[0]["error"]),
        (&json!("gone@it.example"), &json!("no such mailbox"))
    );
    assert_eq!(failed[0]["attempts"], 5);
}

#[test]
fn rows_of_kinds_that_a_later_version_has_added_are_left_out() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("later-kinds").await;
            let id = shop.paid_order(&customer).await;
            let at = now_ms();
            for kind in ["parcel lost", "of a later version"] {
                shop.sql(&format!(
                    "insert into concerns (id, order_id, kind, about, detail, created_at)
                     values ('issue {kind}', '{id}', '{kind}', '{id}', '', {at})"
                ))
                .await;
            }
            shop.sql(&format!(
                "insert into order_events (id, order_id, at, kind, actor, detail, order_version)
                 values ('later', '{id}', {at}, 'of_a_later_version', 'system', '', 900)"
            ))
            .await;
            shop.sql(&format!(
                "insert into audit (id, at, who, action, about, detail) values ('later', {at}, 'a', 'of a later version', '{id}', '')"
            ))
            .await;
            let issues = admin.get("/api/admin/concerns").await.expect_ok();
            let issues = issues["concerns"].as_array().unwrap().clone();
            assert_eq!(issues.len(), 1, "{issues:?}");
            assert_eq!(issues[0]["kind"], "parcel lost");
            let shown = show_order(&customer, &id).await;
            let events = shown["events"].as_array().unwrap();
            assert!(!events.is_empty());
            admin
                .get(&format!("/api/admin/orders?orderId={id}"))
                .await
                .expect_ok();
            admin
                .get(&format!("/api/admin/audit?about={id}"))
                .await
                .expect_ok();
            let seen = json!({ "orderStatus": "cancelled", "version": 0 });
            let path = format!("/api/admin/orders/{id}/status");
            admin
                .put(&path, seen)
                .await
                .expect_code(409, "order_changed", "");
            shop.running.shop.notify_owner().await.unwrap();
        },
    );
}
