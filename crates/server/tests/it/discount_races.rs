//! Concurrent uses of a code: its last use is given once.

use mirasa_domain::order::PaymentStatus;
use serde_json::json;

use crate::discounts::{add_code, enter};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine_fresh,
    read_db,
};

async fn customers_with_code(
    shop: &TestShop,
    count: usize,
    code: &str,
) -> Vec<(TestClient, String)> {
    let id = shop
        .add_product(ProductFixture::new("code-race", "Code Race"))
        .await;
    let customers = (0..count).map(async |at| {
        let customer = shop.customer(&format!("code-race-{at}")).await;
        customer.add(id, 1, 0).await;
        enter(&customer, code).await.expect_ok();
        let home = customer.home().await;
        (customer, home)
    });
    futures::future::join_all(customers).await
}

/// The successful responses. The others say that the code has been used up.
fn redeemed(responses: &[TestResponse]) -> Vec<usize> {
    for response in responses.iter().filter(|response| response.status != 200) {
        response.expect_code(409, "discount_not_applicable", "");
    }
    (0..responses.len())
        .filter(|at| responses[*at].status == 200)
        .collect()
}

#[test]
fn fifty_customers_for_the_last_use_redeem_it_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            add_code(&admin, "RACE-ONE", "percent", 10.0, json!({ "maxUses": 1 })).await;
            let customers = customers_with_code(shop, 50, "RACE-ONE").await;
            let checkouts = customers
                .iter()
                .map(|(customer, home)| customer.check_out(home));
            let responses = futures::future::join_all(checkouts).await;
            let winners = redeemed(&responses);
            assert_eq!(winners.len(), 1);
            shop.assert_consistent().await;

            // The winner does not pay, so the others try again: once more it is given once.
            let (winner, _) = &customers[winners[0]];
            let unpaid = PendingPayment::from_response(&responses[winners[0]]);
            winner.submit_payment(&unpaid, "fail").await;
            winner.settled_result(&unpaid).await;
            let checkouts = customers
                .iter()
                .map(|(customer, home)| customer.check_out(home));
            let responses = futures::future::join_all(checkouts).await;
            assert_eq!(redeemed(&responses).len(), 1);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn late_payments_and_checkouts_share_the_last_use() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let code = add_code(&admin, "RACE-LATE", "amount", 5.0, json!({ "maxUses": 10 })).await;
            let customers = customers_with_code(shop, 10, "RACE-LATE").await;
            let mut payments = Vec::new();
            for (customer, home) in &customers {
                let payment = PendingPayment::from_response(&customer.check_out(home).await);
                shop.expire(&payment).await;
                payments.push(payment);
            }
            let mut body = code.clone();
            body["maxUses"] = json!(3);
            let path = format!("/api/admin/discounts/{}", code["_id"].as_str().unwrap());
            admin.put(&path, body).await.expect_ok();
            // Half of them pay the expired orders, the others check out again.
            let attempts = customers.iter().zip(&payments).enumerate().map(
                async |(at, ((customer, home), payment))| {
                    if at % 2 == 0 {
                        customer.submit_payment(payment, "pay").await;
                        shop.poll_payment(payment).await;
                    } else {
                        customer.check_out(home).await;
                    }
                },
            );
            futures::future::join_all(attempts).await;
            shop.assert_consistent().await;
            let id = code["_id"].as_str().unwrap().into();
            let report = read_db!(shop, db => db.discount_report(&id).await?).unwrap();
            assert_eq!(report.uses(), 3);
            for (at, payment) in payments.iter().enumerate().step_by(2) {
                let order = shop.order_of(payment).await;
                let refunds = {
                    let ids = [order.id.clone()];
                    read_db!(shop, db => db.refunds_of(&ids).await?)
                };
                let is_paid = order.state.payment_status == PaymentStatus::Completed;
                assert_eq!(
                    is_paid,
                    refunds.is_empty(),
                    "order {at} is paid or refunded"
                );
            }
        },
    );
}

#[test]
fn one_customer_in_many_tabs_uses_a_code_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            add_code(
                &admin,
                "RACE-TABS",
                "percent",
                100.0,
                json!({ "oncePerCustomer": true }),
            )
            .await;
            let customers = customers_with_code(shop, 1, "RACE-TABS").await;
            let (customer, home) = &customers[0];
            // A free order is paid at once, so nothing but the code's limit stops the second one.
            let tabs = (0..12).map(async |_| {
                customer.add("code-race", 1, 0).await;
                enter(customer, "RACE-TABS").await;
                customer.check_out(home).await.status
            });
            let statuses = futures::future::join_all(tabs).await;
            assert!(statuses.contains(&200), "{statuses:?}");
            let id = read_db!(shop, db => db.discount_reports().await?).remove(0);
            assert_eq!(id.uses(), 1);
            shop.assert_consistent().await;
        },
    );
}
