//! Many buyers, little stock: as many orders as fit, never one more, and every gram explained.

use crate::harness::{
    ProductFixture, TestClient, TestResponse, TestShop, for_each_engine_fresh, read_db,
};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

async fn crowd(
    shop: &TestShop,
    fixture: ProductFixture,
    baskets: &[(u32, u32)],
) -> (Vec<TestResponse>, Stock) {
    let id = shop.add_product(fixture).await;
    let buyers = baskets.iter().enumerate().map(async |(at, basket)| {
        let browser: TestClient = shop.customer(&format!("crowd-{at}")).await;
        browser.add(id, basket.0, basket.1).await;
        let home = browser.home().await;
        (browser, home)
    });
    let buyers = futures::future::join_all(buyers).await;
    let rush = buyers.iter().map(|(browser, home)| browser.check_out(home));
    let responses = futures::future::join_all(rush).await;
    let product = read_db!(shop, db => db.product(&ProductId(id.to_owned())).await?);
    shop.is_consistent().await;
    (responses, product.unwrap().stock)
}

fn sold(responses: &[TestResponse]) -> usize {
    for response in responses {
        assert!(matches!(response.status, 200 | 409), "{response:?}");
    }
    responses.iter().filter(|response| response.status == 200).count()
}

#[test]
fn fifty_buyers_for_the_last_ten_pouches() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let fixture = ProductFixture {
                pouches_50g: 10,
                ..ProductFixture::new("crowd-pouches", "Crowd Pouches")
            };
            let (responses, left) = crowd(shop, fixture, &[(1, 0); 50]).await;
            assert_eq!(sold(&responses), 10);
            assert_eq!((left.pouches_50g, left.grams), (0, 100_000 - 500));
        },
    );
}

#[test]
fn forty_buyers_for_one_kilogram_in_both_sizes() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let fixture = ProductFixture {
                grams: 1000,
                ..ProductFixture::new("crowd-kilo", "Crowd Kilo")
            };
            let baskets: Vec<_> = (0..40)
                .map(|at| if at % 2 == 0 { (1, 0) } else { (0, 1) })
                .collect();
            let (responses, left) = crowd(shop, fixture, &baskets).await;
            sold(&responses);
            let grams: i64 = responses
                .iter()
                .zip(&baskets)
                .filter(|(response, _)| response.status == 200)
                .map(|(_, basket)| i64::from(basket.0 * 50 + basket.1 * 100))
                .sum();
            assert_eq!(left.grams, 1000 - grams);
            // Whoever was refused would not have fitted: less than the smallest pack was left over.
            assert!((0..50).contains(&left.grams), "{left:?}");
        },
    );
}
