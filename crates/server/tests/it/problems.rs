//! Problems after the delivery: a customer reports one with photos, an admin replaces, refunds or declines. Buying an
//! order again.

use futures::future::join_all;
use http::{Method, header};
use mirasa_domain::ist;
use mirasa_domain::order::Order;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::admin_uploads::{SECRET, jpeg_with_secret};
use crate::cancellation::{email_kinds, finish_refunds, refunded_at_gateway, show, stock, texts};
use crate::harness::{TestClient, TestResponse, TestShop, for_each_engine, jpeg, now_ms};

const BOUNDARY: &str = "problem-form";

async fn deliver(admin: &TestClient, order: &Order) {
    let path = format!("/api/admin/orders/{}/status", order.id);
    let body = json!({ "orderStatus": "delivered" });
    admin.put(&path, body).await.expect_ok();
}

pub async fn report(
    customer: &TestClient,
    order_id: &str,
    message: &str,
    lines: Value,
    photos: Vec<Vec<u8>>,
) -> TestResponse {
    let mut body = Vec::new();
    let mut part = |head: &str, content: &[u8]| {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"message\"", message.as_bytes());
    part("name=\"lines\"", lines.to_string().as_bytes());
    for photo in &photos {
        part("name=\"images\"; filename=\"photo.jpg\"", photo);
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    let path = format!("/api/user/orders/{order_id}/problems");
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let request = customer.request(Method::POST, &path).body(body);
    customer
        .send(request.header(header::CONTENT_TYPE, kind))
        .await
}

pub async fn resolve(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    admin.put(&format!("/api/admin/problems/{id}"), body).await
}

/// A delivered order with an open problem about one pack of 50 g.
pub async fn reported(
    shop: &TestShop,
    admin: &TestClient,
    name: &'static str,
) -> (TestClient, Order, String) {
    let (customer, mut orders) = customer_with_orders(shop, name, 1).await;
    let order = orders.remove(0);
    deliver(admin, &order).await;
    let lines = json!([{ "productId": name, "qty_50g": 1 }]);
    let response = report(
        &customer,
        order.id.as_str(),
        "The pouch is torn",
        lines,
        vec![],
    )
    .await;
    let id = response.expect_ok()["problem"]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    (customer, order, id)
}

#[test]
fn problem_is_reported_with_photos_on_the_day_of_delivery() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "problem-report", 1).await;
        let order = &orders[0];
        let lines = json!([{ "productId": "problem-report", "qty_50g": 1, "qty_100g": 1 }]);
        let early = report(&customer, order.id.as_str(), "Torn", lines.clone(), vec![]).await;
        early.expect_code(409, "order_not_delivered", "");
        deliver(&admin, order).await;

        for (message, lines, field) in [
            (" ", lines.clone(), "message"),
            ("Torn", json!([]), "lines"),
            (
                "Torn",
                json!([{ "productId": "problem-report", "qty_50g": 2 }]),
                "lines",
            ),
            (
                "Torn",
                json!([{ "productId": "other", "qty_50g": 1 }]),
                "lines",
            ),
            ("Torn", json!("x"), "lines"),
        ] {
            let response = report(&customer, order.id.as_str(), message, lines, vec![]).await;
            response.expect_code(400, "invalid_input", field);
        }
        let six = (0..6).map(|at| jpeg(20, 20, at)).collect();
        let response = report(&customer, order.id.as_str(), "Torn", lines.clone(), six).await;
        response.expect_code(400, "invalid_input", "images");
        let text = vec![b"no image".to_vec()];
        let response = report(&customer, order.id.as_str(), "Torn", lines.clone(), text).await;
        assert_eq!(response.status, 415, "{response:?}");
        let stranger = shop.customer("problem-stranger").await;
        let response = report(&stranger, order.id.as_str(), "Torn", lines.clone(), vec![]).await;
        response.expect_code(404, "order_not_found", "");

        let photos = vec![jpeg_with_secret(1), jpeg_with_secret(2)];
        let response = report(
            &customer,
            order.id.as_str(),
            "Torn <b>",
            lines.clone(),
            photos,
        )
        .await;
        let problem = response.expect_ok()["problem"].take();
        assert_eq!(problem["state"], "open");
        for image in texts_of(&problem["images"]) {
            let photo = customer.get(image).await;
            assert_eq!(
                (photo.status, photo.header("content-type")),
                (200, "image/webp")
            );
            assert!(photo.header("cache-control").starts_with("private"));
            assert!(!photo.body.windows(SECRET.len()).any(|part| part == SECRET));
            assert_eq!(admin.get(image).await.status, 200);
            assert_eq!(stranger.get(image).await.status, 404);
            assert_eq!(shop.visitor().get(image).await.status, 401);
            let file = image.rsplit('/').next().unwrap();
            let public = format!("/images/problems/{file}");
            assert_eq!(shop.visitor().get(&public).await.status, 404);
        }
        let again = report(&customer, order.id.as_str(), "Again", lines.clone(), vec![]).await;
        again.expect_code(409, "problem_already_reported", "");
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["problems"][0]["_id"], problem["_id"]);
        assert_eq!(
            texts(&shown["events"], "kind").last(),
            Some(&"problem_reported")
        );
        let emails = shop.emails_to("problem-report").await;
        let confirmed: Vec<_> = emails
            .iter()
            .filter(|email| email.kind == "problem reported")
            .collect();
        assert_eq!(confirmed.len(), 1, "the refused reports are not confirmed");
        let link = format!("/orders?order={}", order.id);
        for body in [&confirmed[0].text_body, &confirmed[0].html_body] {
            assert!(body.contains("(1 × 50 g, 1 × 100 g)"), "{body}");
            assert!(body.contains(&link), "{body}");
        }
        assert!(confirmed[0].text_body.contains("Torn <b>"));

        let (customer, orders) = customer_with_orders(shop, "problem-late", 1).await;
        deliver(&admin, &orders[0]).await;
        let yesterday = ist::day_start_ms(ist::day(now_ms())) - 1;
        let id = &orders[0].id;
        shop.sql(&format!(
            "update orders set delivered_at = {yesterday} where id = '{id}'"
        ))
        .await;
        let lines = json!([{ "productId": "problem-late", "qty_50g": 1 }]);
        let response = report(&customer, id.as_str(), "Late", lines, vec![]).await;
        response.expect_code(409, "report_period_over", "");
    });
}

fn texts_of(list: &Value) -> Vec<&str> {
    let texts = list.as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn replacement_is_an_order_without_charge_that_takes_stock() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, order, problem) = reported(shop, &admin, "problem-replace").await;
        let before = stock(shop, "problem-replace").await;
        let body = json!({ "action": "replace", "message": "Sorry!" });
        // Two admins at once.
        let responses = join_all((0..2).map(|_| resolve(&admin, &problem, body.clone()))).await;
        let mut statuses: Vec<_> = responses.iter().map(|response| response.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{responses:?}");
        let (grams, of_50g, of_100g) = before;
        assert_eq!(
            stock(shop, "problem-replace").await,
            (grams - 50, of_50g - 1, of_100g)
        );

        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["problems"][0]["state"], "replaced");
        assert_eq!(shown["problems"][0]["response"], "Sorry!");
        assert_eq!(
            shown["problems"][0]["resolvedBy"],
            Value::Null,
            "for admins only"
        );
        let replacement = shown["problems"][0]["replacementOrderId"].as_str().unwrap();
        let replacement = show(&customer, replacement).await;
        assert_eq!(replacement["totalAmount"], 0);
        assert_eq!(replacement["orderStatus"], "confirmed");
        assert_eq!(replacement["replacesOrderId"], order.id.as_str());
        assert_eq!(replacement["items"][0]["quantity"], 1);
        assert_eq!(replacement["items"][0]["price"], 0);
        assert_eq!(
            email_kinds(shop, "problem-replace").await.last().unwrap(),
            "problem resolved"
        );
        shop.assert_consistent_for("problem-replace", std::slice::from_ref(&order))
            .await;

        // The customer may cancel it: its stock is released, and there is nothing to refund.
        let id = replacement["_id"].as_str().unwrap();
        let cancelled =
            crate::cancellation::cancel(&customer, id).await.expect_ok()["order"].take();
        assert_eq!(
            (&cancelled["orderStatus"], &cancelled["refunds"]),
            (&json!("cancelled"), &json!([]))
        );
        assert_eq!(stock(shop, "problem-replace").await, before);
        shop.assert_consistent_for("problem-replace", std::slice::from_ref(&order))
            .await;
    });
}

#[test]
fn problem_is_refunded_or_declined_with_words() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, order, problem) = reported(shop, &admin, "problem-refund").await;
        let listed = admin
            .get("/api/admin/problems?state=open&limit=1000")
            .await
            .expect_ok();
        let found = listed["problems"].as_array().unwrap().iter();
        let found: Vec<_> = found.filter(|one| one["_id"] == problem.as_str()).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["overdue"], false);
        assert_eq!(found[0]["productNames"]["problem-refund"], "problem-refund");
        let body = json!({ "action": "refund", "message": "" });
        resolve(&admin, &problem, body).await.expect_ok();
        finish_refunds(shop, order.id.as_str()).await;
        let price = order.lines[0].items().next().unwrap().price.get();
        assert_eq!(refunded_at_gateway(shop, &order).await, [price]);
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["problems"][0]["state"], "refunded");

        let (customer, order, problem) = reported(shop, &admin, "problem-decline").await;
        let silent = json!({ "action": "decline", "message": " " });
        resolve(&admin, &problem, silent)
            .await
            .expect_code(400, "invalid_input", "message");
        let days = 4 * 24 * 60 * 60_000;
        let old = now_ms() - days;
        shop.sql(&format!(
            "update order_problems set created_at = {old} where id = '{problem}'"
        ))
        .await;
        let listed = admin
            .get("/api/admin/problems?limit=1000")
            .await
            .expect_ok();
        let overdue = listed["problems"].as_array().unwrap().iter();
        let mut overdue = overdue.filter(|one| one["_id"] == problem.as_str());
        assert_eq!(overdue.next().unwrap()["overdue"], true);
        let words = json!({ "action": "decline", "message": "The photo shows another brand." });
        resolve(&admin, &problem, words.clone()).await.expect_ok();
        resolve(&admin, &problem, words)
            .await
            .expect_code(409, "problem_resolved", "");
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(
            shown["problems"][0]["response"],
            "The photo shows another brand."
        );
        assert_eq!(shown["refunds"], json!([]));
        shop.assert_consistent_for("problem-refund", std::slice::from_ref(&order))
            .await;
    });
}

#[test]
fn order_is_bought_again_as_far_as_possible() {
    for_each_engine(async |shop| {
        let (customer, orders) = customer_with_orders(shop, "again", 1).await;
        let path = format!("/api/user/orders/{}/buy-again", orders[0].id);
        let response = customer.post(&path, json!({})).await.expect_ok();
        assert_eq!(response["missing"], json!([]));
        assert_eq!(response["cart"]["totalPacks"], 2);
        customer
            .delete("/api/cart/api/cart/clear")
            .await
            .expect_ok();

        // No 50 g pouches are left, and 100 g cost more.
        shop.set_stock("again", "pouches_50g", 0).await;
        let admin = shop.admin().await;
        let product = admin.get("/api/products/again").await.expect_ok()["product"].take();
        let mut mrp = product["mrp"].clone();
        mrp[1] = json!(mrp[1].as_f64().unwrap() + 10.0);
        admin
            .put("/api/admin/updateProduct/again", json!({ "mrp": mrp }))
            .await
            .expect_ok();
        let response = customer.post(&path, json!({})).await.expect_ok();
        assert_eq!(
            texts(&response["missing"], "difference"),
            ["sold_out", "price_increased"]
        );
        assert_eq!(response["cart"]["totalPacks"], 1);

        let other = shop.customer("again-stranger").await;
        other
            .post(&path, json!({}))
            .await
            .expect_code(404, "order_not_found", "");
        shop.assert_consistent_for("again", &orders).await;
    });
}
