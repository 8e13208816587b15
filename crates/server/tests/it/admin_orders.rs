//! Admin orders: filters, pagination, status changes, deletion and issues.

use mirasa_domain::order::{Order, OrderId};
use serde_json::{Value, json};

use crate::admin_orders_csv::{export, rows};
use crate::admin_products::audit_entries;
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine, write_db,
};

pub async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
    user["_id"].as_str().unwrap().to_owned()
}

/// A customer with this many paid orders of a new product.
pub async fn customer_with_orders(
    shop: &TestShop,
    name: &'static str,
    orders: u32,
) -> (TestClient, Vec<Order>) {
    let id = shop.add_product(ProductFixture::new(name, name)).await;
    let customer = shop.customer(name).await;
    let home = customer.home().await;
    let mut placed = Vec::new();
    for packs in 1..=orders {
        customer.add(id, packs, 1).await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;
        placed.push(shop.order_of(&payment).await);
    }
    (customer, placed)
}

pub async fn ids(admin: &TestClient, query: &str) -> Vec<OrderId> {
    let response = admin
        .get(&format!("/api/admin/orders?{query}"))
        .await
        .expect_ok();
    let id = |order: &Value| order["_id"].as_str().unwrap().into();
    response["orders"]
        .as_array()
        .unwrap()
        .iter()
        .map(id)
        .collect()
}

#[test]
fn filters_work_alone_and_combined() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "filtered-masala", 3).await;
        let user = id_of(&customer).await;
        let newest_first: Vec<_> = orders.iter().rev().map(|order| order.id.clone()).collect();
        assert_eq!(ids(&admin, &format!("userId={user}")).await, newest_first);
        let part = &user[9..30];
        assert_eq!(
            ids(&admin, &format!("userId={part}")).await,
            newest_first,
            "a part of the id"
        );
        assert_eq!(
            ids(&admin, &format!("userId={}", part.to_uppercase())).await,
            newest_first
        );

        let second = &orders[1].id;
        for typed in [
            second.as_str(),
            &second.as_str()[28..],
            &second.as_str()[28..].to_uppercase(),
            &second.as_str()[5..33],
        ] {
            let found = ids(&admin, &format!("orderId={typed}&userId={user}")).await;
            assert_eq!(found, std::slice::from_ref(second), "{typed}");
        }
        for no_match in [
            "orderId=nowhere",
            "orderId=%25",
            "orderId=_",
            "userId=%5C",
            "orderId='",
        ] {
            assert!(ids(&admin, no_match).await.is_empty(), "{no_match}");
        }

        let path = format!("/api/admin/orders/{second}/status");
        admin
            .put(&path, json!({ "orderStatus": "shipped" }))
            .await
            .expect_ok();
        let by_status = |status: &str| format!("status={status}&userId={user}");
        assert_eq!(
            ids(&admin, &by_status("shipped")).await,
            std::slice::from_ref(second)
        );
        assert_eq!(ids(&admin, &by_status("confirmed")).await.len(), 2);
        assert_eq!(ids(&admin, &by_status("All")).await.len(), 3);
        assert!(ids(&admin, &by_status("N/A")).await.is_empty());

        // The range has millisecond precision and includes both ends.
        let (from, to) = (iso(orders[1].created_at_ms), iso(orders[2].created_at_ms));
        let range = format!("userId={user}&from={from}&to={to}");
        assert_eq!(ids(&admin, &range).await, newest_first[..2]);
        let range = format!(
            "userId={user}&status=shipped&from={from}&to={from}&orderId={}",
            &second.as_str()[28..]
        );
        assert_eq!(ids(&admin, &range).await, std::slice::from_ref(second));
        assert!(
            ids(&admin, &format!("userId={user}&to=2020-01-01"))
                .await
                .is_empty()
        );

        for (query, message) in [
            ("status=lost", "status is not an order's status"),
            ("from=yesterday", "from must be a date such as 2026-11-15"),
            ("to=2026-13-01", "to must be a date such as 2026-11-15"),
            ("limit=0", "page must be 1 or more, limit from 1 to 1000"),
            ("limit=1001", "page must be 1 or more, limit from 1 to 1000"),
            ("page=0", "page must be 1 or more, limit from 1 to 1000"),
        ] {
            admin
                .get(&format!("/api/admin/orders?{query}"))
                .await
                .expect_error(400, message);
        }
        assert_eq!(admin.get("/api/admin/orders?page=x").await.status, 400);
    });
}

fn iso(at_ms: i64) -> String {
    let at = time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(at_ms) * 1_000_000);
    let format = time::format_description::well_known::Rfc3339;
    at.unwrap().format(&format).unwrap()
}

#[test]
fn each_order_is_on_exactly_one_page() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "paged-masala", 5).await;
        let user = id_of(&customer).await;
        let newest_first: Vec<_> = orders.iter().rev().map(|order| order.id.clone()).collect();
        for limit in [1, 2, 3, 5, 10] {
            let mut seen = Vec::new();
            let mut pages = 1;
            for page in 1.. {
                let path = format!("/api/admin/orders?userId={user}&limit={limit}&page={page}");
                let response = admin.get(&path).await.expect_ok();
                assert_eq!(
                    (&response["total"], &response["page"]),
                    (&json!(5), &json!(page))
                );
                pages = response["pages"].as_i64().unwrap();
                let listed = response["orders"].as_array().unwrap();
                assert!(listed.len() <= limit);
                seen.extend(
                    listed
                        .iter()
                        .map(|order| OrderId::from(order["_id"].as_str().unwrap())),
                );
                if page == pages {
                    break;
                }
            }
            assert_eq!(
                pages,
                5_i64.div_euclid(limit as i64) + i64::from(5 % limit as i64 > 0)
            );
            assert_eq!(seen, newest_first, "{limit} per page");
        }
        let beyond = admin
            .get(&format!("/api/admin/orders?userId={user}&limit=2&page=9"))
            .await
            .expect_ok();
        assert_eq!(
            (&beyond["orders"], &beyond["total"]),
            (&json!([]), &json!(5))
        );
    });
}

#[test]
fn any_status_change_is_saved_and_emailed() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "moved-masala", 1).await;
        let id = &orders[0].id;
        let path = format!("/api/admin/orders/{id}/status");
        for status in [
            "delivered",
            "pending",
            "shipped",
            "N/A",
            "cancelled",
            "confirmed",
            "confirmed",
        ] {
            let response = admin
                .put(&path, json!({ "orderStatus": status }))
                .await
                .expect_ok();
            assert_eq!(response["order"]["orderStatus"], status);
            let own = customer
                .get(&format!("/api/user/orders/{id}"))
                .await
                .expect_ok();
            assert_eq!(own["order"]["orderStatus"], status);
        }
        let mut kinds: Vec<_> = shop
            .emails_to("moved-masala")
            .await
            .into_iter()
            .map(|email| email.kind)
            .collect();
        kinds.reverse();
        assert_eq!(
            kinds,
            [
                "confirmed",
                "delivered",
                "shipped",
                "cancelled",
                "confirmed"
            ]
        );
        let entries = audit_entries(&admin, id.as_str()).await;
        assert_eq!(
            entries.len(),
            7,
            "a change to the same status is not recorded"
        );
        assert_eq!(
            entries[5],
            (
                "order status".to_owned(),
                "confirmed to delivered".to_owned()
            )
        );
        let packed = ("order status".to_owned(), "packed".to_owned());
        assert_eq!(entries[6], packed, "before it is delivered");

        for bad in [
            json!({ "orderStatus": "lost" }),
            json!({}),
            json!({ "orderStatus": null }),
        ] {
            let response = admin.put(&path, bad).await;
            assert_eq!(response.status, 400, "{response:?}");
            assert!(
                response.error_text().contains("orderStatus"),
                "{response:?}"
            );
        }
        let unknown = admin
            .put(
                "/api/admin/orders/none/status",
                json!({ "orderStatus": "shipped" }),
            )
            .await;
        unknown.expect_error(404, "Order not found.");
    });
}

#[test]
fn deleted_order_is_in_no_list_but_still_stored() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "deleted-order-masala", 2).await;
        let user = id_of(&customer).await;
        let deleted = &orders[0].id;
        admin
            .delete(&format!("/api/admin/orders/{deleted}"))
            .await
            .expect_ok();
        admin
            .delete(&format!("/api/admin/orders/{deleted}"))
            .await
            .expect_error(404, "Order not found.");
        assert_eq!(
            ids(&admin, &format!("userId={user}")).await,
            [orders[1].id.clone()]
        );
        let own = customer.get("/api/user/orders").await.expect_ok();
        assert_eq!(own["orders"].as_array().unwrap().len(), 1);
        assert_eq!(
            customer
                .get(&format!("/api/user/orders/{deleted}"))
                .await
                .status,
            404
        );
        assert!(
            !rows(&export(&admin, &format!("userId={user}")).await)
                .iter()
                .any(|row| row[0] == *deleted.as_str())
        );
        let count = format!(
            "update orders set updated_at = updated_at where id = '{deleted}' and deleted_at is not null"
        );
        assert_eq!(shop.sql(&count).await, 1, "the row is kept");
        assert_eq!(
            audit_entries(&admin, deleted.as_str()).await[0].0,
            "order deleted"
        );
    });
}

#[test]
fn issue_is_listed_until_it_is_resolved() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "issue-masala", 1).await;
        let issue = mirasa_domain::issue::OrderIssue {
            id: format!("issue-{}", orders[0].id).into(),
            order_id: orders[0].id.clone(),
            kind: mirasa_domain::issue::IssueKind::LatePayment,
            subject_id: orders[0].id.0.clone(),
            detail: "Check the amount".into(),
            created_at_ms: crate::harness::now_ms(),
            order_is_deleted: false,
        };
        let id = issue.id.clone();
        write_db!(shop, tx => tx.open_issue(&issue).await?);
        let is_open = async || {
            let response = admin.get("/api/admin/concerns").await.expect_ok();
            response["concerns"]
                .as_array()
                .unwrap()
                .iter()
                .any(|issue| {
                    issue["detail"] == "Check the amount"
                        && issue["orderId"] == orders[0].id.as_str()
                })
        };
        assert!(is_open().await);
        admin
            .put(&format!("/api/admin/concerns/{id}/settle"), json!({}))
            .await
            .expect_ok();
        assert!(!is_open().await);
        let again = admin
            .put(&format!("/api/admin/concerns/{id}/settle"), json!({}))
            .await;
        again.expect_error(404, "There is no such issue");
    });
}
