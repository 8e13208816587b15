//! Concurrent checkouts of scarce stock: no overselling, and the ledger matches the stock.

use crate::harness::{
    ProductFixture, TestClient, TestResponse, TestShop, for_each_engine_fresh, read_db,
};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

async fn check_out_concurrently(
    shop: &TestShop,
    fixture: ProductFixture,
    carts: &[(u32, u32)],
) -> (Vec<TestResponse>, Stock) {
    let id = shop.add_product(fixture).await;
    let customers = carts.iter().enumerate().map(async |(at, cart)| {
        let browser: TestClient = shop.customer(&format!("race-{at}")).await;
        browser.add(id, cart.0, cart.1).await;
        let home = browser.home().await;
        (browser, home)
    });
    let customers = futures::future::join_all(customers).await;
    let checkouts = customers
        .iter()
        .map(|(browser, home)| browser.check_out(home));
    let responses = futures::future::join_all(checkouts).await;
    let product = read_db!(shop, db => db.product(&ProductId(id.to_owned())).await?);
    shop.assert_consistent().await;
    (responses, product.unwrap().stock)
}

fn sold(responses: &[TestResponse]) -> usize {
    for response in responses {
        assert!(matches!(response.status, 200 | 409), "{response:?}");
    }
    responses
        .iter()
        .filter(|response| response.status == 200)
        .count()
}

#[test]
fn fifty_customers_for_ten_pouches_create_ten_orders() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let fixture = ProductFixture {
                pouches_50g: 10,
                ..ProductFixture::new("race-pouches", "Race Pouches")
            };
            let (responses, left) = check_out_concurrently(shop, fixture, &[(1, 0); 50]).await;
            assert_eq!(sold(&responses), 10);
            assert_eq!((left.pouches_50g, left.grams), (0, 100_000 - 500));
        },
    );
}

#[test]
fn forty_customers_for_one_kilogram_sell_all_of_it() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let fixture = ProductFixture {
                grams: 1000,
                ..ProductFixture::new("race-kilo", "Race Kilo")
            };
            let carts: Vec<_> = (0..40)
                .map(|at| if at % 2 == 0 { (1, 0) } else { (0, 1) })
                .collect();
            let (responses, left) = check_out_concurrently(shop, fixture, &carts).await;
            sold(&responses);
            let grams: i64 = responses
                .iter()
                .zip(&carts)
                .filter(|(response, _)| response.status == 200)
                .map(|(_, cart)| i64::from(cart.0 * 50 + cart.1 * 100))
                .sum();
            assert_eq!(left.grams, 1000 - grams);
            // The rejected checkouts did not fit: less than the smallest pack is left.
            assert!((0..50).contains(&left.grams), "{left:?}");
        },
    );
}
