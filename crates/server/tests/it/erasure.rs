//! What stays of a customer who deletes the account: nothing but what the law or a stated purpose needs.

use serde_json::{Value, json};

use crate::discounts::{add_code, enter, pay};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine, read_db,
};
use crate::problems::report;
use crate::reviews::publish;

const NAME: &str = "Ashwini Erasable";
const PHONE: &str = "9811122233";

/// The places where one of the texts is, over all columns of all tables.
async fn places_of(shop: &TestShop, texts: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.jsonl");
    let database = shop.config.database().unwrap();
    mirasa_store::maintenance::backup::backup(&database, &file)
        .await
        .unwrap();
    let mut places = Vec::new();
    for line in std::fs::read_to_string(&file).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (Some(table), Some(row)) = (line["table"].as_str(), line["row"].as_object()) else {
            continue;
        };
        for (column, value) in row {
            let value = value.to_string().to_lowercase();
            if texts
                .iter()
                .any(|text| value.contains(&text.to_lowercase()))
            {
                places.push(format!("{table}.{column}"));
            }
        }
    }
    places.sort();
    places.dedup();
    places
}

/// A paid order with a delivery address in this name. Tests at the same time need different names.
async fn buy(
    shop: &TestShop,
    customer: &TestClient,
    product: &str,
    (name, phone): (&str, &str),
) -> String {
    let address = json!({
        "addressName": "Home", "name": name, "phone": phone, "addressLine1": "12 Laxmi Road",
        "addressLine2": "", "city": "Pune", "state": "Maharashtra", "pincode": "411030",
    });
    let home = customer.post("/api/addresses", address).await.expect_ok();
    let home = home["address"]["_id"].as_str().unwrap();
    customer.add(product, 1, 0).await;
    let payment = PendingPayment::from_response(&customer.check_out(home).await);
    pay(customer, &payment).await;
    shop.order_of(&payment).await.id.0
}

#[test]
fn nothing_names_an_erased_customer_but_orders_and_invoices() {
    for_each_engine(async |shop| {
        let product = shop
            .add_product(ProductFixture::new("erasable-masala", "Erasable Masala"))
            .await;
        let email = TestShop::email("forget.me");
        let customer = shop.customer("forget.me").await;
        let admin = shop.admin().await;
        let profile = json!({ "name": NAME, "phone": PHONE, "dateOfBirth": "1990-02-28" });
        customer.put("/api/user/profile", profile).await.expect_ok();
        let order = buy(shop, &customer, product, (NAME, PHONE)).await;
        let corrected = json!({
            "name": NAME, "phone": PHONE, "addressLine1": "13 Laxmi Road", "city": "Pune",
            "state": "Maharashtra", "pincode": "411030",
        });
        let path = format!("/api/admin/orders/{order}/address");
        admin.put(&path, corrected).await.expect_ok();
        let note = json!({ "text": format!("{NAME} called from {PHONE}") });
        let path = format!("/api/admin/orders/{order}/notes");
        admin.post(&path, note).await.expect_ok();
        let path = format!("/api/admin/orders/{order}/status");
        let delivered = json!({ "orderStatus": "delivered" });
        admin.put(&path, delivered).await.expect_ok();
        let lines = json!([{ "productId": product, "qty_50g": 1 }]);
        let text = format!("Call me, {NAME}, {PHONE}");
        report(&customer, &order, &text, lines, vec![])
            .await
            .expect_ok();
        let message = json!({ "name": NAME, "email": email.to_uppercase(), "message": format!("It is {PHONE}") });
        customer.post("/api/api/queries", message).await.expect_ok();
        let found = admin.get("/api/admin/messages").await.expect_ok();
        let message = found["messages"].as_array().unwrap().iter();
        let message = message
            .clone()
            .find(|message| message["name"] == NAME)
            .unwrap_or_else(|| panic!("{found}"))["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        publish(&customer, product, 4, &format!("{NAME} likes it"))
            .await
            .expect_ok();

        // All emails of the order wait, one could not be sent, and the owner has not been told yet.
        let later = i64::MAX;
        let waiting = format!(
            "update mails set sent_at = null, next_try_at = {later}, last_error = 'no {email}' where recipient = '{email}'"
        );
        assert!(shop.sql(&waiting).await >= 2);
        let insert_mail = |id: &str, text: &str| {
            format!(
                "insert into mails (id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at, leased_until)
                 values ('{id}', 'notification', 'owner@it.example', '2 new & more', '{text}', '<p>{text}', 1, 0, {later}, 0)"
            )
        };
        let short = order[28..].to_uppercase();
        for (id, text) in [
            ("erasure-1", format!("Order {short}: {NAME}")),
            (
                "erasure-2",
                format!("{NAME} admins?section=messages&message={message}"),
            ),
            ("erasure-3", "Order 00000000: somebody else".to_owned()),
            (
                "erasure-5",
                format!("Order 00000001: somebody else\nOrder {short}: {NAME}"),
            ),
        ] {
            shop.sql(&insert_mail(id, &text)).await;
        }
        shop.sql(&format!(
            "insert into concerns (id, order_id, kind, about, detail, created_at)
             values ('erasure-1', '{order}', 'mail not sent', 'some-mail', 'It could not be sent to {email}.', 1)"
        ))
        .await;
        let before = places_of(shop, &[&email, NAME, PHONE]).await;
        for place in [
            "mails.recipient",
            "mails.text_body",
            "concerns.detail",
            "order_events.detail",
            "order_notes.body",
            "users.email",
        ] {
            assert!(before.iter().any(|one| one == place), "{place}: {before:?}");
        }

        customer.delete("/api/user").await.expect_ok();
        let stays = places_of(shop, &[&email, NAME, PHONE]).await;
        assert_eq!(stays, ["documents.buyer", "orders.address"]);
        let address_only = places_of(shop, &[&email]).await;
        assert_eq!(address_only, Vec::<String>::new());
        assert_eq!(
            shop.sql(
                "delete from mails where id = 'erasure-3' and text_body like '%somebody else%'"
            )
            .await,
            1,
            "a notification about others is still sent"
        );
        // One about this customer too says how much is new, and where to read it.
        let shortened = format!(
            "delete from mails where id in ('erasure-1', 'erasure-2', 'erasure-5')
                and text_body like '%2 new & more%/admins%' and text_body not like '%{NAME}%' and text_body not like '%somebody%'
                and html_body like '%/admins%' and html_body not like '%{NAME}%' and html_body not like '%somebody%'"
        );
        assert_eq!(shop.sql(&shortened).await, 3);

        // `mirasa check` finds what is left or comes back.
        let named = async || read_db!(shop, db => db.orders_naming_erased_customers().await?);
        assert_eq!(named().await, Vec::<String>::new());
        shop.sql(&format!(
            "insert into mails (id, order_id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at, leased_until)
             values ('erasure-4', '{order}', 'shipped', 'x', '', '', '', 1, 0, {later}, 0)"
        ))
        .await;
        assert_eq!(named().await, [order.as_str()]);
        shop.sql("delete from mails where id = 'erasure-4'").await;

        // Later changes of the order are not reported to anybody.
        let shipped = json!({ "orderStatus": "shipped" });
        admin.put(&path, shipped).await.expect_ok();
        assert_eq!(places_of(shop, &[&email]).await, Vec::<String>::new());
    });
}

#[test]
fn deleting_the_account_gives_no_code_a_second_time() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let product = shop
            .add_product(ProductFixture::new("come-back-masala", "Come-back Masala"))
            .await;
        add_code(
            &admin,
            "HELLO-1",
            "amount",
            5.0,
            json!({ "firstOrderOnly": true }),
        )
        .await;
        add_code(
            &admin,
            "EACH-1",
            "amount",
            5.0,
            json!({ "oncePerCustomer": true }),
        )
        .await;
        add_code(&admin, "ANY-1", "amount", 5.0, json!({})).await;
        let (customer, back) = (
            shop.customer("come.back").await,
            ("Ravi Back", "9811122244"),
        );
        // Without an order nothing is remembered.
        customer.delete("/api/user").await.expect_ok();
        customer.sign_in(&TestShop::email("come.back")).await;
        enter(&customer, "HELLO-1").await.expect_ok();
        enter(&customer, "EACH-1").await.expect_ok();
        buy(shop, &customer, product, back).await;
        for again in 0..3 {
            customer.delete("/api/user").await.expect_ok();
            customer.sign_in(&TestShop::email("come.back")).await;
            for (code, message) in [
                ("HELLO-1", "This code is only for the first order."),
                ("EACH-1", "You have already used this code."),
            ] {
                let refused = enter(&customer, code).await;
                refused.expect_code(409, "discount_not_applicable", "code");
                assert_eq!(refused.json()["message"], message, "{again}");
            }
            enter(&customer, "ANY-1").await.expect_ok();
        }
        // Somebody else still gets it.
        let other = shop.customer("never.here").await;
        enter(&other, "HELLO-1").await.expect_ok();
        // Only what has a purpose is remembered: no code that can be used again anyway.
        enter(&customer, "ANY-1").await.expect_ok();
        buy(shop, &customer, product, back).await;
        customer.delete("/api/user").await.expect_ok();
        customer.sign_in(&TestShop::email("come.back")).await;
        let export = customer.get("/api/user/export").await.expect_ok();
        let remembered = json!({ "hasOrdered": true, "onceOnlyCodes": ["EACH-1"] });
        assert_eq!(export["earlierAccounts"], remembered, "{export}");
        let without_purpose = "delete from past_discount_uses where discount_id <> ''
            and discount_id not in (select id from discounts where once_per_customer)";
        assert_eq!(shop.sql(without_purpose).await, 0);
        let export = other.get("/api/user/export").await.expect_ok();
        let nothing = json!({ "hasOrdered": false, "onceOnlyCodes": [] });
        assert_eq!(export["earlierAccounts"], nothing, "{export}");
        // Only a keyed hash stays.
        let plain = places_of(shop, &["come.back"]).await;
        assert_eq!(plain, ["users.email"]);
    });
}
