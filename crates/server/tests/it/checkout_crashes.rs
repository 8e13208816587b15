//! Crash tests: the server is killed at each step of a checkout and restarted on the same data. No paid order may
//! be lost or duplicated, stock must match the ledger, and the gateway's record must match the orders.

use serde_json::json;

use crate::cli::expect_success;
use crate::harness::crash::{
    ShopFolder, admin, orders, returning, send_into_crash, sign_in, wait_for_crash,
};
use crate::harness::{GATEWAY, PendingPayment, in_runtime};

/// Makes the next poll of each payment due.
const POLL_NOW: &str = "update payment_attempts set next_look_at = 0, leased_until = 0";

/// Failpoints, and whether the customer has paid before the crash.
const FAILPOINTS: [(&str, bool); 5] = [
    ("order committed", false),
    ("page asked for", false),
    ("status heard", true),
    ("settling", true),
    ("settled", true),
];

#[test]
fn crash_at_any_checkout_step_loses_and_duplicates_nothing() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (point, paid) in FAILPOINTS {
            crash_at(&folder, point, paid).await;
        }
        let output = folder.run("check", &[]);
        assert!(
            expect_success(&output).contains("5 orders against"),
            "{output:?}"
        );

        // The consistency check detects an error.
        folder.sql("update products set stock_grams = stock_grams + 1 where id = 'goda-masala'");
        let output = folder.run("check", &[]);
        assert!(!output.status.success());
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(
            stdout.contains("WRONG: the stock of goda-masala"),
            "{stdout}"
        );
    });
}

async fn crash_at(folder: &ShopFolder, point: &str, paid: bool) {
    // Attempts of earlier crashes are still polled. Postpone them, so that they do not reach the failpoint first.
    folder.sql("update payment_attempts set next_look_at = next_look_at + 3600000");
    let served = folder.start_with_failpoint(point);
    let email = format!("{}@it.example", point.replace(' ', "-"));
    let customer = sign_in(&served, &email).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let body = json!({ "addressId": home });
    let request = if paid {
        let payment =
            PendingPayment::from_response(&customer.check_out_with_key("once", body.clone()).await);
        let page = customer.request(http::Method::POST, &payment.page);
        page.form(&[("outcome", "pay")])
    } else {
        let checkout = customer.request(http::Method::POST, "/api/cart/checkout");
        checkout.header("idempotency-key", "once").json(&body)
    };
    send_into_crash(&customer, request).await;
    wait_for_crash(served, point).await;

    let served = folder.start();
    let returning = returning(&customer, &served);
    if paid {
        // The customer does not return: the reconciler must find the payment.
        let is_settled = async || orders(&returning).await[0]["paymentStatus"] == "completed";
        folder
            .hurry_until(POLL_NOW, "the payment is settled", is_settled)
            .await;
    } else {
        // Age the attempt of the crashed server, so that this checkout does not wait for its payment page.
        folder.sql(
            "update payment_attempts set created_at = created_at - 20000 where state = 'opening'",
        );
        let payment = PendingPayment::from_response(
            &returning.check_out_with_key("once", body.clone()).await,
        );
        returning.submit_payment(&payment, "pay").await;
        assert_eq!(
            returning.settled_result(&payment).await["order"]["paymentStatus"],
            "completed",
            "{point}"
        );
    }
    let all = orders(&returning).await;
    assert_eq!(all.len(), 1, "{point}: one order");
    assert_eq!(all[0]["orderStatus"], "confirmed");
    let record = returning
        .get(&format!("{GATEWAY}/orders"))
        .await
        .expect_ok();
    let number = &all[0]["merchantOrderId"];
    let gateway_orders = record["orders"].as_array().unwrap().iter();
    let matching: Vec<_> = gateway_orders
        .filter(|order| order["merchantOrderId"] == *number)
        .collect();
    assert_eq!(matching.len(), 1);
    assert_eq!(matching[0]["state"], "COMPLETED");
    let rupees = all[0]["totalAmount"].as_f64().unwrap();
    assert_eq!(
        matching[0]["amount"].as_f64().unwrap(),
        (rupees * 100.0).round()
    );
    let emails = returning.get("/sandbox/mail").await;
    let emails = emails.text().matches(&email).count();
    assert_eq!(emails, 1, "{point}: one email");
    folder.assert_consistent(point);
}

/// Failpoints while an admin deletes an unpaid order, and whether the order has ended before the crash.
const END_ORDER_FAILPOINTS: [(&str, bool); 2] =
    [("ending an order", false), ("orders ended", true)];

#[test]
fn crash_while_ending_an_order_completes_or_refunds_its_payment() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (point, ended) in END_ORDER_FAILPOINTS {
            let served = folder.start_with_failpoint(point);
            let email = format!("{}@it.example", point.replace(' ', "-"));
            let customer = sign_in(&served, &email).await;
            customer.add("goda-masala", 1, 1).await;
            let home = customer.home().await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            let id = orders(&customer).await[0]["_id"]
                .as_str()
                .unwrap()
                .to_owned();
            let admin = admin(&served).await;
            let path = format!("/api/admin/orders/{id}");
            let delete = admin.request(http::Method::DELETE, &path);
            send_into_crash(&admin, delete).await;
            wait_for_crash(served, point).await;

            let served = folder.start();
            let returning = returning(&customer, &served);
            returning.submit_payment(&payment, "pay").await;
            let of_order = format!("where order_id = '{id}'");
            let settled =
                format!("select count(*) from payment_attempts {of_order} and state = 'completed'");
            let is_settled = async || folder.count(&settled) > 0;
            folder
                .hurry_until(POLL_NOW, "the payment is settled", is_settled)
                .await;
            let refunds = format!("select count(*) from refunds {of_order}");
            let returned = folder.count(&refunds) == 1;
            assert_eq!(returned, ended, "{point}");
            assert_eq!(orders(&returning).await.is_empty(), ended, "{point}");
            folder.assert_consistent(point);
        }
    });
}
