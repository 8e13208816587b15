//! The overview of the shop, through the running server.

use mirasa_domain::ist;
use serde_json::{Value, json};

use crate::cancellation::finish_refunds;
use crate::discounts::{customer_with_cart, pay};
use crate::harness::{PendingPayment, TestClient, TestShop, for_each_engine_fresh, paise};
use mirasa_server::commands::check_data::check_consistency;

async fn overview(admin: &TestClient, query: &str) -> Value {
    admin
        .get(&format!("/api/admin/overview{query}"))
        .await
        .expect_ok()
}

async fn count(admin: &TestClient, query: &str) -> Value {
    let found: Value = admin
        .get(&format!("/api/admin/orders?{query}"))
        .await
        .expect_ok();
    found["total"].clone()
}

fn date(day: i64) -> String {
    let (year, month, day) = ist::calendar_date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

async fn paid_order(
    shop: &TestShop,
    name: &'static str,
    packs: (u32, u32),
) -> (TestClient, Value, String) {
    let (customer, home) = customer_with_cart(shop, name, packs).await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    let order = pay(&customer, &payment).await;
    let id = shop.order_of(&payment).await.id;
    (customer, order, id.0)
}

#[test]
fn overview_has_what_was_sold_and_links_find_its_orders() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let none = overview(&admin, "").await;
            assert_eq!(none["current"]["orders"], 0);
            assert_eq!(none["days"].as_array().map(Vec::len), Some(30));
            assert_eq!(none["current"]["repeatRate"].as_f64(), Some(0.0));

            let (_, first, first_id) = paid_order(shop, "overview-a", (2, 1)).await;
            let (_, second, second_id) = paid_order(shop, "overview-b", (1, 0)).await;
            let (_, _, cancelled) = paid_order(shop, "overview-c", (1, 0)).await;
            // One that is never paid.
            let (unpaid, home) = customer_with_cart(shop, "overview-d", (1, 0)).await;
            PendingPayment::from_response(&unpaid.check_out(&home).await);
            admin
                .put(
                    &format!("/api/admin/orders/{cancelled}/status"),
                    json!({ "orderStatus": "cancelled", "refund": true, "restock": true }),
                )
                .await
                .expect_ok();
            admin
                .post(
                    &format!("/api/admin/orders/{first_id}/refunds"),
                    json!({ "amount": 10.5, "reason": "A torn pouch" }),
                )
                .await
                .expect_ok();
            finish_refunds(shop, &first_id).await;
            let totals = [paise(&first["totalAmount"]), paise(&second["totalAmount"])];
            let sales: i64 = totals.iter().sum();

            // Yesterday's order is summed by the worker, today's are counted.
            let yesterday = shop.running.shop.now_ms() - ist::DAY_MS;
            shop.sql(&format!(
                "update orders set created_at = {yesterday} where id = '{second_id}'"
            ))
            .await;
            for stored in [false, true] {
                if stored {
                    let days = shop.running.shop.store_daily_sales().await.unwrap();
                    assert_eq!(days, 1);
                }
                let found = overview(&admin, "").await;
                let current = &found["current"];
                assert_eq!(current["orders"], 2, "{current}");
                assert_eq!(paise(&current["sales"]), sales);
                assert_eq!(paise(&current["refunds"]), 10_50);
                assert_eq!(paise(&current["netSales"]), sales - 10_50);
                assert_eq!(paise(&current["averageOrder"]), (sales + 1) / 2);
                assert_eq!(
                    (&current["packs50g"], &current["packs100g"]),
                    (&json!(3), &json!(1))
                );
                let days = found["days"].as_array().unwrap();
                assert_eq!(paise(&days[29]["netSales"]), totals[0] - 10_50);
                assert_eq!(paise(&days[28]["netSales"]), totals[1]);
                assert_eq!(found["funnel"]["checkouts"], 4);
                assert_eq!(found["funnel"]["payments"], 2);
                let one_day = format!("?from={0}&to={0}", date(ist::day(yesterday)));
                let of_yesterday = overview(&admin, &one_day).await;
                assert_eq!(paise(&of_yesterday["current"]["netSales"]), totals[1]);
                let report = check_consistency(&shop.second_instance).await.unwrap();
                assert!(report.is_consistent(), "{report}");
            }
            let found = overview(&admin, "").await;
            let (from, to) = (&found["from"], &found["to"]);
            let range = format!(
                "from={}&to={}",
                from.as_str().unwrap(),
                to.as_str().unwrap()
            );
            let state = found["states"][0]["state"].as_str().unwrap();
            let product = found["bestProducts"][0]["productId"].as_str().unwrap();
            for (filter, expected) in [
                ("only=sales".to_owned(), &found["current"]["orders"]),
                ("only=refunded".to_owned(), &json!(1)),
                ("only=discounted".to_owned(), &json!(0)),
                ("only=repeat".to_owned(), &found["current"]["repeatOrders"]),
                ("only=late".to_owned(), &found["current"]["lateParcels"]),
                (
                    "only=returned".to_owned(),
                    &found["current"]["returnedParcels"],
                ),
                (
                    format!("only=sales&state={}", state.replace(' ', "%20")),
                    &found["states"][0]["orders"],
                ),
                (
                    format!("only=sales&productId={product}"),
                    &found["bestProducts"][0]["orders"],
                ),
                (String::new(), &json!(4)),
            ] {
                assert_eq!(
                    &count(&admin, &format!("{range}&{filter}")).await,
                    expected,
                    "{filter}"
                );
            }
            let hours = found["hours"].as_array().unwrap();
            let mut orders = 0;
            for hour in hours {
                let filter = format!(
                    "{range}&only=sales&weekday={}&hour={}",
                    hour["weekday"], hour["hour"]
                );
                assert_eq!(count(&admin, &filter).await, hour["orders"], "{filter}");
                orders += hour["orders"].as_i64().unwrap();
            }
            assert_eq!(orders, 2);
            assert!(
                found["worstProducts"]
                    .as_array()
                    .is_some_and(|worst| !worst.is_empty())
            );
        },
    );
}

#[test]
fn today_is_compared_with_yesterday_up_to_the_same_time() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, early, early_id) = paid_order(shop, "same-time-a", (1, 0)).await;
            let (_, _, late_id) = paid_order(shop, "same-time-b", (2, 0)).await;
            paid_order(shop, "same-time-c", (3, 0)).await;
            let today = ist::day(shop.running.shop.now_ms());
            for (id, at_ms) in [
                (early_id, ist::day_start_ms(today - 1)),
                (late_id, ist::day_start_ms(today) - 1),
            ] {
                shop.sql(&format!(
                    "update orders set created_at = {at_ms} where id = '{id}'"
                ))
                .await;
            }
            let one_day = async |day| {
                let date = date(day);
                overview(&admin, &format!("?from={date}&to={date}")).await
            };
            let found = one_day(today).await;
            assert_eq!(found["current"]["orders"], 1);
            assert_eq!(found["previous"]["orders"], 1, "{found}");
            assert_eq!(found["previous"]["sales"], early["totalAmount"]);
            // The chart has all of yesterday.
            assert_eq!(found["previousDays"][0]["orders"], 2);
            let hours = found["previousHours"].as_array().unwrap();
            let hours: Vec<_> = hours.iter().map(|hour| &hour["hour"]).collect();
            assert_eq!(hours, [0, 23]);
            assert_eq!(found["hours"].as_array().map(Vec::len), Some(1));
            let until = found["comparedUntil"].as_str().unwrap();
            assert!(until.starts_with("20") && until.ends_with('Z'), "{until}");

            let found = one_day(today - 1).await;
            assert_eq!(found["current"]["orders"], 2);
            assert_eq!(found["comparedUntil"], Value::Null);
            assert_eq!(overview(&admin, "").await["previousHours"], json!([]));
        },
    );
}

#[test]
fn days_that_cannot_be_shown_are_rejected() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            for (query, field) in [
                ("?from=yesterday", "from"),
                ("?to=2026-02-29", "to"),
                ("?from=2026-11-15&to=2026-11-14", "from"),
                ("?from=2025-01-01&to=2026-11-14", "from"),
            ] {
                admin
                    .get(&format!("/api/admin/overview{query}"))
                    .await
                    .expect_code(400, "invalid_input", field);
            }
            let year = overview(&admin, "?from=2027-01-01&to=2028-01-01").await;
            assert_eq!(year["days"].as_array().map(Vec::len), Some(366));
            assert_eq!(year["previousTo"], "2026-12-31");
            for (query, field) in [
                ("only=all", "only"),
                ("weekday=8", "weekday"),
                ("hour=24", "hour"),
            ] {
                admin
                    .get(&format!("/api/admin/orders?{query}"))
                    .await
                    .expect_code(400, "invalid_input", field);
            }
        },
    );
}

#[test]
fn visits_are_counted_without_crawlers_and_pages_loaded_ahead() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            const BROWSER: &str = "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile";
            let open = async |path: &str, agent: &str, more: &[(&str, &str)]| {
                let mut request = shop
                    .client
                    .get(format!("{}{path}", shop.base))
                    .header("user-agent", agent)
                    .header("sec-fetch-dest", "document")
                    .header("sec-fetch-site", "cross-site");
                for (name, value) in more {
                    request = request.header(*name, *value);
                }
                request.send().await.unwrap();
            };
            open("/", BROWSER, &[]).await;
            open("/sub-products", BROWSER, &[]).await;
            open("/", BROWSER, &[("sec-purpose", "prefetch")]).await;
            open("/", "Mozilla/5.0 (compatible; Googlebot/2.1)", &[]).await;
            open("/no-such-page", BROWSER, &[]).await;
            let product = shop.running.shop.catalogue.snapshot().all()[0].id.0.clone();
            for (id, site) in [
                (product.as_str(), "same-origin"),
                (product.as_str(), "cross-site"),
                ("no-such-product", "same-origin"),
            ] {
                shop.client
                    .post(format!("{}/api/products/{id}/opened", shop.base))
                    .header("origin", &shop.base)
                    .header("content-type", "application/json")
                    .header("user-agent", BROWSER)
                    .header("sec-fetch-site", site)
                    .send()
                    .await
                    .unwrap();
            }
            customer_with_cart(shop, "overview-visit", (1, 0)).await;
            shop.running.shop.store_visits().await.unwrap();
            let found = overview(&admin, "").await;
            assert_eq!(
                found["funnel"],
                json!({ "visits": 2, "products": 1, "carts": 1, "checkouts": 0, "payments": 0 })
            );
        },
    );
}
