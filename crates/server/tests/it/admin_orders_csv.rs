//! The CSV export of orders.

use std::collections::BTreeMap;

use mirasa_domain::order::Order;
use mirasa_domain::user::UserId;
use serde_json::{Value, json};

use crate::admin_orders::{customer_with_orders, id_of, ids};
use crate::cancellation::finish_refunds;
use crate::discounts::{add_code, customer_with_cart, enter, pay};
use crate::harness::{
    PendingPayment, TestClient, TestResponse, for_each_engine, for_each_engine_fresh, paise,
    write_db,
};
use crate::invoices::{invoices, set_status};

const COLUMNS: [&str; 13] = [
    "Order ID",
    "User ID",
    "Total Amount",
    "Status",
    "Payment",
    "Created At",
    "Items",
    "Delivery Name",
    "Delivery Phone",
    "Delivery Address",
    "Delivery City",
    "Delivery State",
    "Delivery Pincode",
];

pub async fn export(admin: &TestClient, query: &str) -> TestResponse {
    let response = admin
        .get(&format!("/api/admin/orders/export.csv?{query}"))
        .await;
    assert_eq!(response.status, 200, "{response:?}");
    response
}

/// The rows as a spreadsheet reads them, without the header row.
pub fn rows(response: &TestResponse) -> Vec<csv::StringRecord> {
    let text = response
        .text()
        .strip_prefix('\u{feff}')
        .expect("a byte order mark");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), &COLUMNS[..]);
    reader.records().map(Result::unwrap).collect()
}

#[test]
fn export_contains_the_filtered_orders() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "exported-masala", 3).await;
        let user = id_of(&customer).await;
        let response = export(&admin, &format!("userId={user}")).await;
        assert!(response.body.starts_with(b"\xef\xbb\xbfOrder ID,User ID,"));
        assert_eq!(response.header("content-type"), "text/csv; charset=utf-8");
        let name = response.header("content-disposition");
        let day = name
            .strip_prefix("attachment; filename=\"orders_")
            .and_then(|rest| rest.strip_suffix(".csv\""));
        let day = day.unwrap_or_else(|| panic!("{name}"));
        assert!(day.len() == 10 && day.split('-').count() == 3, "{day}");

        let found = rows(&response);
        let listed = ids(&admin, &format!("userId={user}")).await;
        assert_eq!(
            found.iter().map(|row| &row[0]).collect::<Vec<_>>(),
            listed.iter().map(|id| &id.0).collect::<Vec<_>>()
        );
        let last = found.last().unwrap();
        let first_order = &orders[0];
        assert_eq!(&last[1], user);
        assert_eq!(&last[2], "185.50");
        assert_eq!((&last[3], &last[4]), ("confirmed", "completed"));
        assert!(last[5].starts_with("20") && last[5].ends_with('Z'));
        assert_eq!(
            &last[6],
            "exported-masala (50 g) x1 @₹65.50; exported-masala (100 g) x1 @₹120"
        );
        let address = &first_order.address;
        assert_eq!(&last[7], address.name);
        assert_eq!(&last[9], "12 Laxmi Road Flat 4");
        assert_eq!(
            (&last[10], &last[11], &last[12]),
            ("Pune", "Maharashtra", "411030")
        );

        let id = &orders[1].id;
        admin
            .put(
                &format!("/api/admin/orders/{id}/status"),
                json!({ "orderStatus": "delivered" }),
            )
            .await
            .expect_ok();
        let some = rows(&export(&admin, &format!("userId={user}&status=delivered")).await);
        assert_eq!(
            some.iter().map(|row| &row[0]).collect::<Vec<_>>(),
            [id.as_str()]
        );
        assert!(rows(&export(&admin, "orderId=nowhere").await).is_empty());
        admin
            .get("/api/admin/orders/export.csv?status=lost")
            .await
            .expect_error(400, "status is not an order's status");
    });
}

#[test]
fn export_escapes_formulas_and_contains_every_chunk() {
    // On a server of its own: the rows that it inserts are not real orders.
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = customer_with_orders(shop, "formula-masala", 1).await;
            let user = UserId(id_of(&customer).await);
            let hostile = [
                "=1+1",
                "+1",
                "-1",
                "@SUM(A1)",
                "\tx",
                "\rx",
                "a,\"b\"\nc;d",
                "plain",
            ];
            for (number, text) in hostile.into_iter().enumerate() {
                let mut order = orders[0].clone();
                order.id = format!("{}-{number:04}", &orders[0].id.as_str()[..31]).into();
                order.merchant_order_id = format!("formula-{}", order.id).into();
                order.address.name = text.to_owned();
                order.address.line1 = text.to_owned();
                order.lines[0].product_name = text.to_owned();
                write_db!(shop, tx => tx.insert_order(&order).await?);
            }
            // More than two chunks, with many orders of the same millisecond.
            for number in 0..1100 {
                let mut order = orders[0].clone();
                order.id = format!("{}-{number:05}", &orders[0].id.as_str()[..30]).into();
                order.merchant_order_id = format!("many-{}", order.id).into();
                order.created_at_ms = 1_000 + number / 400;
                write_db!(shop, tx => tx.insert_order(&order).await?);
            }
            let found = rows(&export(&admin, &format!("userId={}", user.0)).await);
            assert_eq!(found.len(), 1 + hostile.len() + 1100);
            let unique: std::collections::BTreeSet<_> =
                found.iter().map(|row| row[0].to_owned()).collect();
            assert_eq!(unique.len(), found.len(), "no duplicates");
            for row in &found {
                for cell in row {
                    assert!(
                        !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                        "{cell:?}"
                    );
                }
            }
            for text in hostile {
                let row = found
                    .iter()
                    .find(|row| row[7].trim_start_matches('\'') == text)
                    .unwrap_or_else(|| panic!("{text:?}"));
                let escaped = row[7].starts_with('\'');
                assert_eq!(
                    escaped,
                    text.starts_with(['=', '+', '-', '@', '\t', '\r']),
                    "{text:?}"
                );
            }
        },
    );
}

/// The file with all columns, as a spreadsheet reads it: the names, and the rows.
async fn export_all(admin: &TestClient, query: &str) -> Vec<BTreeMap<String, String>> {
    let response = export(admin, &format!("columns=all&{query}")).await;
    let name = response.header("content-disposition").to_owned();
    assert!(name.contains("orders_all_columns_"), "{name}");
    let text = response.text().trim_start_matches('\u{feff}');
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let first: Vec<_> = names.iter().take(COLUMNS.len()).collect();
    assert_eq!(first, COLUMNS);
    let row = |record: csv::StringRecord| {
        let cells = names.iter().zip(record.iter());
        cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    };
    reader
        .records()
        .map(|record| row(record.unwrap()))
        .collect()
}

#[test]
fn export_of_all_columns_adds_up_to_the_overview() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            add_code(&admin, "ALL-10", "percent", 10.0, json!({})).await;
            let mut orders = Vec::new();
            for (name, code) in [
                ("all-a", true),
                ("all-b", false),
                ("all-cancelled", true),
                ("all-deleted", false),
                ("all-refunded", true),
            ] {
                let (customer, home) = customer_with_cart(shop, name, (2, 1)).await;
                if code {
                    enter(&customer, "ALL-10").await.expect_ok();
                }
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                pay(&customer, &payment).await;
                orders.push(shop.order_of(&payment).await);
            }
            let (unpaid, home) = customer_with_cart(shop, "all-unpaid", (1, 0)).await;
            PendingPayment::from_response(&unpaid.check_out(&home).await);
            let [first, second, cancelled, deleted, refunded] = &orders[..] else {
                unreachable!()
            };
            set_status(&admin, first.id.as_str(), "shipped")
                .await
                .expect_ok();
            let refund = async |order: &Order, body: Value| {
                let path = format!("/api/admin/orders/{}/refunds", order.id);
                admin.post(&path, body).await.expect_ok();
                finish_refunds(shop, order.id.as_str()).await;
            };
            refund(first, json!({ "amount": 10.5, "reason": "Torn" })).await;
            refund(refunded, json!({ "reason": "All of it" })).await;
            let path = format!("/api/admin/orders/{}/status", cancelled.id);
            let cancel = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
            admin.put(&path, cancel).await.expect_ok();
            let path = format!("/api/admin/orders/{}", deleted.id);
            admin.delete(&path).await.expect_ok();

            let rows = export_all(&admin, "").await;
            assert_eq!(rows.len(), 5, "without the deleted one");
            let sum = |column: &str| -> i64 {
                let sales = rows.iter().filter(|row| row["Counts As Sale"] == "yes");
                sales
                    .map(|row| row[column].replace('.', "").parse::<i64>().unwrap())
                    .sum()
            };
            let overview = admin.get("/api/admin/overview").await.expect_ok();
            let current = &overview["current"];
            assert_eq!(sum("Total Amount"), paise(&current["sales"]));
            assert_eq!(sum("Refunded"), paise(&current["refunds"]));
            assert_eq!(sum("Discount"), paise(&current["discounts"]));
            let sales = rows.iter().filter(|row| row["Counts As Sale"] == "yes");
            assert_eq!(json!(sales.count()), current["orders"]);
            assert!(sum("Refunded") > 10_50 && sum("Discount") > 0);

            let row = |id: &str| rows.iter().find(|row| row["Order ID"] == id).unwrap();
            let invoices = invoices(shop, first).await;
            assert_eq!(row(first.id.as_str())["Invoice Number"], invoices[0].number);
            assert_eq!(row(first.id.as_str())["Credit Notes"], invoices[1].number);
            assert_eq!(row(first.id.as_str())["Discount Code"], "ALL-10");
            assert_eq!(row(first.id.as_str())["Refunded"], "10.50");
            assert_eq!(row(second.id.as_str())["Invoice Number"], "");
            assert_eq!(row(second.id.as_str())["Refunded"], "0.00");
            assert!(row(second.id.as_str())["Paid At"].ends_with('Z'));
            let not_paid = rows.iter().find(|row| row["Payment"] == "pending");
            assert_eq!(not_paid.unwrap()["Paid At"], "");

            // The same filters, and the usual file as it was.
            let some = export_all(&admin, &format!("orderId={}", first.id)).await;
            assert_eq!(some, [row(first.id.as_str()).clone()]);
            let usual = rows_of_usual(&admin).await;
            assert_eq!(usual, 5);
            admin
                .get("/api/admin/orders/export.csv?columns=some")
                .await
                .expect_code(400, "invalid_input", "columns");
        },
    );
}

async fn rows_of_usual(admin: &TestClient) -> usize {
    rows(&export(admin, "").await).len()
}
