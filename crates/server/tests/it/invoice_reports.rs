//! The accountant's export of a month: every table adds up to the invoices.

use std::collections::BTreeMap;

use mirasa_domain::ist;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cancellation::finish_refunds;
use crate::harness::{TestClient, TestShop, for_each_engine_fresh, now_ms};
use crate::invoices::{documents, set_status};

fn this_month() -> String {
    let (year, month, _) = ist::calendar_date(ist::day(now_ms()));
    format!("{year}-{month:02}")
}

/// The columns of a file, by their names.
async fn table(admin: &TestClient, path: &str) -> Vec<BTreeMap<String, String>> {
    let response = admin
        .get(&format!("/api/admin/{path}?month={}", this_month()))
        .await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(response.header("cache-control"), "no-store");
    let text = response.text().trim_start_matches('\u{feff}');
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| {
        names
            .iter()
            .map(str::to_owned)
            .zip(row.iter().map(str::to_owned))
            .collect()
    })
    .collect()
}

/// The sum of a column in paise, without floating point.
fn total(rows: &[BTreeMap<String, String>], column: &str) -> i64 {
    rows.iter()
        .map(|row| row[column].replace('.', "").parse::<i64>().unwrap())
        .sum()
}

#[allow(clippy::cast_possible_truncation)] // far below the limit
fn paise(rupees: &Value) -> i64 {
    (rupees.as_f64().unwrap() * 100.0).round() as i64
}

/// Three invoices, one to another state, and two credit notes.
async fn month_with_documents(shop: &TestShop, admin: &TestClient) {
    let (_, orders) = customer_with_orders(shop, "report", 4).await;
    let id = &orders[1].id;
    shop.sql(&format!(
        "update orders set address = replace(address, 'Maharashtra', 'Kerala') where id = '{id}'"
    ))
    .await;
    for order in &orders[..3] {
        set_status(admin, &order.id, "shipped").await.expect_ok();
    }
    for (order, body) in [
        (&orders[1], json!({ "amount": 33.33, "reason": "Late" })),
        (&orders[2], json!({ "reason": "Returned" })),
    ] {
        let path = format!("/api/admin/orders/{}/refunds", order.id);
        admin.post(&path, body).await.expect_ok();
        finish_refunds(shop, &order.id).await;
        assert_eq!(documents(shop, order).await.len(), 2);
    }
}

#[test]
fn tables_of_the_return_add_up_to_the_invoices() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            month_with_documents(shop, &admin).await;
            let month = this_month();
            let path = format!("/api/admin/invoices?month={month}");
            let list = admin.get(&path).await.expect_ok();
            let invoices = list["invoices"].as_array().unwrap();
            assert_eq!(invoices.len(), 5);
            for (field, column) in [
                ("taxable", "Taxable Value"),
                ("igst", "Integrated Tax"),
                ("cgst", "Central Tax"),
                ("sgst", "State/UT Tax"),
            ] {
                let signed = |invoice: &Value| {
                    let amount = paise(&invoice[field]);
                    if invoice["kind"] == "credit note" {
                        -amount
                    } else {
                        amount
                    }
                };
                let sum: i64 = invoices.iter().map(signed).sum();
                assert_eq!(paise(&list[field]), sum, "{field}");
                for path in ["gstr1/7.csv", "gstr1/12.csv", "invoices/export.csv"] {
                    let rows = table(&admin, path).await;
                    assert_eq!(total(&rows, column), sum, "{column} of {path}");
                }
            }
            let rows = table(&admin, "gstr1/12.csv").await;
            assert_eq!(total(&rows, "Total Value"), paise(&list["total"]));
            assert_eq!(
                (rows[0]["HSN"].as_str(), rows[0]["UQC"].as_str()),
                ("0910", "PAC-PACKS")
            );
            // Two, three and four packs were invoiced; the four came back.
            assert_eq!(rows[0]["Total Quantity"], "5");

            let states: Vec<_> = table(&admin, "gstr1/7.csv")
                .await
                .into_iter()
                .map(|row| (row["Place Of Supply"].clone(), row["Rate"].clone()))
                .collect();
            let row = |state: &str| (state.to_owned(), "5.00".to_owned());
            assert_eq!(states, [row("27-Maharashtra"), row("32-Kerala")]);

            let year = mirasa_domain::invoice::FinancialYear::of(now_ms());
            let issued: Vec<_> = table(&admin, "gstr1/13.csv")
                .await
                .into_iter()
                .map(|row| {
                    ["Sr. No. From", "Sr. No. To", "Total Number", "Cancelled"]
                        .map(|column| row[column].clone())
                })
                .collect();
            let range = |prefix: &str, last: i64| {
                [
                    format!("{prefix}/{year}/000001"),
                    format!("{prefix}/{year}/{last:06}"),
                    last.to_string(),
                    "0".to_owned(),
                ]
            };
            assert_eq!(issued, [range("MIR", 3), range("CRN", 2)]);

            let other = admin.get("/api/admin/invoices?month=2020-02").await;
            assert_eq!(other.expect_ok()["invoices"], json!([]));
            for wrong in ["", "2026", "2026-13", "2026-1", "2026-11-01", "' or 1"] {
                let path = format!("/api/admin/gstr1/7.csv?month={wrong}");
                admin
                    .get(&path)
                    .await
                    .expect_error(400, "month must be like 2026-11");
            }
            for file in ["8.csv", "7", "7.csv.csv", ".csv"] {
                let path = format!("/api/admin/gstr1/{file}?month={month}");
                assert_eq!(admin.get(&path).await.status, 404, "{file}");
            }
        },
    );
}
