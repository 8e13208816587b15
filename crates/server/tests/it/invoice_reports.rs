//! The accountant's export of a month: every table adds up to the invoices.

use std::collections::BTreeMap;

use mirasa_domain::ist;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cancellation::finish_refunds;
use crate::discounts::pay;
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine_fresh, now_ms, paise,
};
use crate::invoices::{invoices, set_status};

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

/// Three invoices, one to another state, and two credit notes.
async fn month_with_invoices(shop: &TestShop, admin: &TestClient) {
    let (_, orders) = customer_with_orders(shop, "report", 4).await;
    let id = &orders[1].id;
    shop.sql(&format!(
        "update orders set address = replace(address, 'Maharashtra', 'Kerala') where id = '{id}'"
    ))
    .await;
    for order in &orders[..3] {
        set_status(admin, order.id.as_str(), "shipped")
            .await
            .expect_ok();
    }
    for (order, body) in [
        (&orders[1], json!({ "amount": 33.33, "reason": "Late" })),
        (&orders[2], json!({ "reason": "Returned" })),
    ] {
        let path = format!("/api/admin/orders/{}/refunds", order.id);
        admin.post(&path, body).await.expect_ok();
        finish_refunds(shop, order.id.as_str()).await;
        assert_eq!(invoices(shop, order).await.len(), 2);
    }
}

#[test]
fn tables_of_the_return_add_up_to_the_invoices() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            month_with_invoices(shop, &admin).await;
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

/// Orders to another state: one above the limit, one exactly at it, and a credit note for each.
#[test]
fn large_invoices_to_other_states_are_in_tables_of_their_own() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let mut orders = Vec::new();
            for (name, mrp) in [
                ("large-masala", &[10_000_001_i64][..]),
                ("limit-masala", &[10_000_000][..]),
                ("large-at-home", &[15_000_000][..]),
            ] {
                let mut fixture = ProductFixture::new(name, name);
                fixture.mrp = mrp;
                shop.add_product(fixture).await;
                let customer = shop.customer(name).await;
                customer.add(name, 1, 0).await;
                let home = customer.home().await;
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                pay(&customer, &payment).await;
                orders.push(shop.order_of(&payment).await);
            }
            for order in &orders[..2] {
                shop.sql(&format!(
                    "update orders set address = replace(address, 'Maharashtra', 'Kerala') where id = '{}'",
                    order.id
                ))
                .await;
            }
            for order in &orders {
                set_status(&admin, order.id.as_str(), "shipped")
                    .await
                    .expect_ok();
                let path = format!("/api/admin/orders/{}/refunds", order.id);
                let body = json!({ "amount": 1000.5, "reason": "Late" });
                admin.post(&path, body).await.expect_ok();
                finish_refunds(shop, order.id.as_str()).await;
            }
            let large = table(&admin, "gstr1/5.csv").await;
            assert_eq!(large.len(), 1, "{large:?}");
            let invoices = invoices(shop, &orders[0]).await;
            assert_eq!(large[0]["Invoice Number"], invoices[0].number);
            assert_eq!(large[0]["Invoice Value"], "100000.01");
            assert_eq!(large[0]["Place Of Supply"], "32-Kerala");
            let notes = table(&admin, "gstr1/9b.csv").await;
            assert_eq!(notes.len(), 1, "{notes:?}");
            assert_eq!(notes[0]["Note Number"], invoices[1].number);
            assert_eq!(notes[0]["Invoice Number"], invoices[0].number);
            assert_eq!(
                (
                    notes[0]["UR Type"].as_str(),
                    notes[0]["Note Value"].as_str()
                ),
                ("B2CL", "1000.50")
            );
            let small = table(&admin, "gstr1/7.csv").await;
            let kerala = small
                .iter()
                .find(|row| row["Place Of Supply"] == "32-Kerala");
            let kerala = std::slice::from_ref(kerala.unwrap());
            let net = total(kerala, "Taxable Value") + total(kerala, "Integrated Tax");
            assert_eq!(net, 10_000_000 - 100_050);

            // All tables together are the invoices of the month.
            let path = format!("/api/admin/invoices?month={}", this_month());
            let list = admin.get(&path).await.expect_ok();
            for (field, column) in [("taxable", "Taxable Value"), ("igst", "Integrated Tax")] {
                let sum = total(&large, column) + total(&small, column) - total(&notes, column);
                assert_eq!(sum, paise(&list[field]), "{column}");
                let by_code = table(&admin, "gstr1/12.csv").await;
                assert_eq!(total(&by_code, column), sum, "{column}");
            }
        },
    );
}
