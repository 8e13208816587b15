//! Reviews: only customers who received the product, one each, editable; votes, pages, and the product page.

use futures::future::join_all;
use mirasa_domain::product::ProductId;
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::harness::{
    PendingPayment, TestClient, TestResponse, TestShop, for_each_engine, for_each_engine_fresh,
    read_db, tags,
};

pub async fn set_status(admin: &TestClient, order: &str, status: &str) {
    let path = format!("/api/admin/orders/{order}/status");
    let body = json!({ "orderStatus": status });
    admin.put(&path, body).await.expect_ok();
}

/// A customer with a delivered order of one product, which has the same name.
pub async fn customer_who_received(shop: &TestShop, name: &'static str) -> (TestClient, String) {
    let (customer, orders) = customer_with_orders(shop, name, 1).await;
    let admin = shop.admin().await;
    set_status(&admin, orders[0].id.as_str(), "delivered").await;
    (customer, orders[0].id.0.clone())
}

/// Another customer who received the product.
pub async fn another_who_received(
    shop: &TestShop,
    name: &'static str,
    product: &str,
) -> TestClient {
    let customer = shop.customer(name).await;
    let home = customer.home().await;
    customer.add(product, 1, 0).await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    let order = shop.order_of(&payment).await;
    set_status(&shop.admin().await, order.id.as_str(), "delivered").await;
    customer
}

pub async fn publish(customer: &TestClient, product: &str, stars: i64, text: &str) -> TestResponse {
    let body = json!({ "productId": product, "stars": stars, "text": text });
    customer.post("/api/user/reviews", body).await
}

pub async fn reviews(shop: &TestShop, product: &str, query: &str) -> Value {
    let path = format!("/api/products/{product}/reviews{query}");
    shop.visitor().get(&path).await.expect_ok()
}

pub fn texts(page: &Value) -> Vec<&str> {
    let all = page["reviews"].as_array().unwrap().iter();
    all.map(|review| review["text"].as_str().unwrap()).collect()
}

pub fn id_of(response: &Value) -> String {
    response["review"]["_id"].as_str().unwrap().to_owned()
}

/// On the shared server other tests change stock with SQL.
pub async fn assert_consistent(shop: &TestShop) {
    let report = check_consistency(&shop.second_instance).await.unwrap();
    let report = report.to_string();
    let wrong: Vec<_> = report
        .lines()
        .filter(|line| line.starts_with("WRONG"))
        .filter(|line| line.contains("rating") || line.contains("review"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub async fn moderate(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    admin.put(&format!("/api/admin/reviews/{id}"), body).await
}

#[test]
fn only_customers_who_received_the_product_review_it_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "reviewed", 1).await;
        let order = &orders[0].id;
        let can_review = async || {
            let own = customer.get("/api/user/reviews?productId=reviewed").await;
            own.expect_ok()["canReview"].as_bool().unwrap()
        };
        for status in ["confirmed", "shipped", "cancelled"] {
            set_status(&admin, order.as_str(), status).await;
            assert!(!can_review().await, "{status}");
            let early = publish(&customer, "reviewed", 5, "Early").await;
            early.expect_code(409, "product_not_received", "");
        }
        let stranger = shop.customer("review-stranger").await;
        set_status(&admin, order.as_str(), "delivered").await;
        assert!(can_review().await);
        let response = publish(&stranger, "reviewed", 1, "Not bought").await;
        response.expect_code(409, "product_not_received", "");
        let response = publish(&customer, "goda-masala", 1, "Another product").await;
        response.expect_code(409, "product_not_received", "");
        let response = publish(&shop.visitor(), "reviewed", 1, "").await;
        response.expect_code(401, "unauthorized", "");
        for (stars, text, field) in [
            (0, "", "stars"),
            (6, "", "stars"),
            (3, "\u{202e}", "text"),
            (3, &"x".repeat(2001), "text"),
        ] {
            let response = publish(&customer, "reviewed", stars, text).await;
            response.expect_code(400, "invalid_input", field);
        }

        let response = publish(&customer, "reviewed", 4, " Warm\r\nand round ").await;
        assert_eq!(response.status, 201);
        let review = response.expect_ok();
        assert_eq!(review["review"]["productName"], "reviewed");
        assert!(!can_review().await);
        let again = publish(&customer, "reviewed", 5, "Again").await;
        again.expect_code(409, "already_reviewed", "");

        let page = reviews(shop, "reviewed", "").await;
        assert_eq!(texts(&page), ["Warm\nand round"]);
        assert_eq!(page["distribution"], json!([0, 0, 0, 1, 0]));
        assert_eq!((&page["total"], &page["rating"]), (&json!(1), &Value::Null));
        let review = &page["reviews"][0];
        for private in ["userId", "user", "email", "orderId", "customerName"] {
            assert!(review[private].is_null(), "{private}");
        }

        // All that was delivered went back into stock, so it was never received.
        let (returned, orders) = customer_with_orders(shop, "review-returned", 1).await;
        let path = format!("/api/admin/orders/{}/refunds", orders[0].id);
        let body = json!({ "reason": "Refused at the door", "restock": true });
        admin.post(&path, body).await.expect_ok();
        set_status(&admin, orders[0].id.as_str(), "delivered").await;
        let response = publish(&returned, "review-returned", 5, "").await;
        response.expect_code(409, "product_not_received", "");
        assert_consistent(shop).await;
    });
}

#[test]
fn two_tabs_publish_one_review() {
    for_each_engine(async |shop| {
        let (customer, _) = customer_who_received(shop, "review-race").await;
        let tabs = (1..=5).map(|stars| publish(&customer, "review-race", stars, "Race"));
        let statuses: Vec<_> = join_all(tabs)
            .await
            .iter()
            .map(|response| response.status)
            .collect();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1);
        assert!(
            statuses.iter().all(|status| matches!(status, 201 | 409)),
            "{statuses:?}"
        );
        assert_eq!(reviews(shop, "review-race", "").await["total"], 1);
        assert_consistent(shop).await;
    });
}

#[test]
fn reviews_of_many_at_once_are_all_counted() {
    for_each_engine(async |shop| {
        let names = ["review-many", "many-2", "many-3", "many-4", "many-5"];
        let (first, _) = customer_who_received(shop, names[0]).await;
        let mut customers = vec![first];
        for name in &names[1..] {
            customers.push(another_who_received(shop, name, names[0]).await);
        }
        let all = (1..).zip(&customers);
        let published = join_all(all.map(|(stars, one)| publish(one, names[0], stars, ""))).await;
        for response in &published {
            response.expect_ok();
        }
        let page = reviews(shop, names[0], "").await;
        assert_eq!(page["distribution"], json!([1, 1, 1, 1, 1]));
        assert_eq!(page["rating"], json!({ "value": 3.0, "count": 5 }));
        let product = shop.visitor().get("/api/products/review-many").await;
        assert_eq!(product.expect_ok()["product"]["rating"], page["rating"]);
        let list = shop
            .visitor()
            .get("/api/products?limit=1000")
            .await
            .expect_ok();
        let all = list["products"].as_array().unwrap();
        let rated = all.iter().find(|one| one["_id"] == names[0]).unwrap();
        assert_eq!(rated["rating"]["count"], 5);
        assert_consistent(shop).await;
    });
}

#[test]
fn edit_keeps_the_earlier_text_for_admins_and_delete_removes_the_review() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, _) = customer_who_received(shop, "review-edited").await;
        let published = publish(&customer, "review-edited", 2, "Too mild").await;
        let id = id_of(&published.expect_ok());
        let path = format!("/api/user/reviews/{id}");
        let stranger = shop.customer("review-edit-stranger").await;
        let edit = json!({ "stars": 5, "text": "I had used too little" });
        for (client, status) in [(&stranger, 404), (&admin, 404)] {
            let response = client.put(&path, edit.clone()).await;
            assert_eq!(response.status, status);
            assert_eq!(client.delete(&path).await.status, status);
        }
        let edited = customer.put(&path, edit.clone()).await.expect_ok();
        assert!(edited["review"]["editedAt"].is_string());
        // The same again is no edit.
        customer.put(&path, edit).await.expect_ok();

        let page = reviews(shop, "review-edited", "").await;
        assert_eq!(page["distribution"], json!([0, 0, 0, 0, 1]));
        assert_eq!(texts(&page), ["I had used too little"]);
        assert!(page["reviews"][0]["edits"].is_null());
        let listed = admin.get("/api/admin/reviews?limit=1000").await.expect_ok();
        let all = listed["reviews"].as_array().unwrap();
        let own = all.iter().find(|review| review["_id"] == *id).unwrap();
        assert_eq!(own["edits"].as_array().unwrap().len(), 1);
        assert_eq!(own["edits"][0]["text"], "Too mild");
        assert_eq!(own["edits"][0]["stars"], 2);

        customer.delete(&path).await.expect_ok();
        assert_eq!(reviews(shop, "review-edited", "").await["total"], 0);
        publish(&customer, "review-edited", 3, "Third")
            .await
            .expect_ok();
        assert_consistent(shop).await;
    });
}

#[test]
fn helpful_votes_count_once_and_not_for_oneself() {
    for_each_engine(async |shop| {
        let (author, _) = customer_who_received(shop, "review-votes").await;
        let second = another_who_received(shop, "votes-2", "review-votes").await;
        let first = id_of(
            &publish(&author, "review-votes", 5, "First")
                .await
                .expect_ok(),
        );
        let newer = id_of(
            &publish(&second, "review-votes", 4, "Second")
                .await
                .expect_ok(),
        );
        let vote = async |client: &TestClient, id: &str, helpful: bool| {
            let path = format!("/api/user/reviews/{id}/helpful");
            client.put(&path, json!({ "helpful": helpful })).await
        };
        let response = vote(&author, &first, true).await;
        response.expect_code(409, "own_review", "");
        let response = vote(&shop.visitor(), &first, true).await;
        assert_eq!(response.status, 401);
        let response = vote(&second, "no-such-review", true).await;
        response.expect_code(404, "review_not_found", "");

        let voter = shop.customer("votes-voter").await;
        let votes = join_all((0..4).map(|_| vote(&voter, &first, true))).await;
        for response in &votes {
            assert_eq!(response.expect_ok()["helpful"], 1);
        }
        assert_eq!(vote(&second, &first, true).await.expect_ok()["helpful"], 2);
        assert_eq!(
            texts(&reviews(shop, "review-votes", "").await),
            ["Second", "First"]
        );
        let helpful = reviews(shop, "review-votes", "?sort=helpful").await;
        assert_eq!(texts(&helpful), ["First", "Second"]);
        assert_eq!(helpful["reviews"][0]["helpful"], 2);
        let own = voter.get("/api/user/reviews?productId=review-votes").await;
        assert_eq!(own.expect_ok()["helpful"], json!([first]));

        for expected in [1, 1] {
            let response = vote(&voter, &first, false).await;
            assert_eq!(response.expect_ok()["helpful"], expected);
        }
        vote(&voter, &newer, true).await.expect_ok();
        assert_consistent(shop).await;
        // The vote of a deleted account does not count.
        voter.delete("/api/user").await.expect_ok();
        let newest = reviews(shop, "review-votes", "").await;
        assert_eq!(newest["reviews"][0]["helpful"], 0);
        assert_consistent(shop).await;
    });
}

#[test]
fn pages_and_parameters_are_checked() {
    for_each_engine(async |shop| {
        let (first, _) = customer_who_received(shop, "review-pages").await;
        let second = another_who_received(shop, "pages-2", "review-pages").await;
        publish(&first, "review-pages", 5, "One").await.expect_ok();
        publish(&second, "review-pages", 3, "Two").await.expect_ok();
        let page = reviews(shop, "review-pages", "?limit=1&page=2").await;
        assert_eq!(texts(&page), ["One"]);
        assert_eq!((&page["page"], &page["pages"]), (&json!(2), &json!(2)));
        assert!(texts(&reviews(shop, "review-pages", "?page=9").await).is_empty());
        for (query, field) in [
            ("?sort=worst", "sort"),
            ("?page=0", "page"),
            ("?page=x", "page"),
            ("?limit=51", "limit"),
        ] {
            let path = format!("/api/products/review-pages/reviews{query}");
            let response = shop.visitor().get(&path).await;
            response.expect_code(400, "invalid_input", field);
        }
        let admin = shop.admin().await;
        let toggle = "/api/admin/products/review-pages/toggle-visibility";
        admin.put(toggle, json!({})).await.expect_ok();
        for product in ["review-pages", "no-such-product"] {
            let path = format!("/api/products/{product}/reviews");
            let response = shop.visitor().get(&path).await;
            response.expect_code(404, "product_not_found", "");
        }
    });
}

#[test]
fn product_page_shows_reviews_and_its_data_says_the_same() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (first, _) = customer_who_received(shop, "review-page").await;
        let product_data = async || {
            let page = shop.visitor().get("/product/review-page").await;
            let found = tags(page.text());
            let data = found
                .iter()
                .filter(|tag| tag.attribute("type") == Some("application/ld+json"))
                .map(|tag| serde_json::from_str::<Value>(&tag.raw).unwrap())
                .find(|json| json["@type"] == "Product");
            (page.text().to_owned(), data.unwrap())
        };
        let (_, data) = product_data().await;
        assert!(data["aggregateRating"].is_null() && data["review"].is_null());

        let id = id_of(
            &publish(&first, "review-page", 5, "Smells of home")
                .await
                .expect_ok(),
        );
        let (page, data) = product_data().await;
        assert!(page.contains("Smells of home"));
        assert!(data["aggregateRating"].is_null(), "no mean of one review");
        assert_eq!(data["review"][0]["reviewRating"]["ratingValue"], 5);
        assert_eq!(data["review"][0]["reviewBody"], "Smells of home");
        assert!(data["review"][0]["author"]["name"].is_string());

        for (at, name) in ["page-2", "page-3"].into_iter().enumerate() {
            let customer = another_who_received(shop, name, "review-page").await;
            let stars = 4 - at as i64;
            publish(&customer, "review-page", stars, "")
                .await
                .expect_ok();
        }
        let (page, data) = product_data().await;
        assert_eq!(data["aggregateRating"]["ratingValue"], 4);
        assert_eq!(data["aggregateRating"]["reviewCount"], 3);
        assert!(page.contains("3 reviews"));

        let hide = json!({ "hidden": true, "reason": "Test" });
        moderate(&admin, &id, hide).await.expect_ok();
        let (page, data) = product_data().await;
        assert!(!page.contains("Smells of home"));
        assert!(data["aggregateRating"].is_null());
        assert_eq!(data["review"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn second_instance_shows_a_new_rating() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (customer, _) = customer_who_received(shop, "review-elsewhere").await;
            publish(&customer, "review-elsewhere", 5, "")
                .await
                .expect_ok();
            // As another instance would: only the database changes.
            let now = shop.running.shop.now_ms();
            let change = format!(
                "update products set stars_5 = 7, reviews_version = reviews_version + 1, touched_at = {now} where id = 'review-elsewhere'"
            );
            shop.sql(&change).await;
            shop.refresh_catalogue().await;
            let product = shop.visitor().get("/api/products/review-elsewhere").await;
            assert_eq!(product.expect_ok()["product"]["rating"]["count"], 7);
            let repair = change.replace("stars_5 = 7", "stars_5 = 1");
            shop.sql(&repair).await;
            shop.refresh_catalogue().await;
            let id = ProductId("review-elsewhere".into());
            let found = read_db!(shop, db => db.product(&id).await?);
            assert_eq!(found.unwrap().rating.count(), 1);
        },
    );
}
