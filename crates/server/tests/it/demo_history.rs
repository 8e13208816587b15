//! `mirasa seed --history`: the demo orders obey the rules of the shop, on both engines.

use std::collections::BTreeSet;

use mirasa_app::repository::orders::search::OrderFilter;
use mirasa_app::repository::reviews::ReviewFilter;
use mirasa_demo::history::Report;
use mirasa_domain::ist::DAY_MS;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_server::cli::Flags;
use mirasa_server::commands::check_data;
use mirasa_server::commands::history::seed_history;
use mirasa_server::config::{Config, Secret};
use mirasa_store::PoolSize;

use crate::harness::{
    BOTH, Engine, ProductFixture, in_runtime, insert_product, new_postgres_database,
    temporary_folder,
};

/// 2026-11-15 14:30 in India.
const NOW_MS: i64 = 1_794_733_200_000;
/// Fewer than the command makes, to save time.
const DAYS: i64 = 14;

async fn orders(config: &Config) -> Vec<Order> {
    let url = config.database().unwrap();
    let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
    let read = db.read(async move |db| {
        let everything = OrderFilter::default();
        db.orders_after(&everything, None, 10_000).await
    });
    read.await.unwrap()
}

async fn reviews(config: &Config) -> Vec<(String, u8, String)> {
    let url = config.database().unwrap();
    let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
    let read = db.read(async move |db| db.reviews_page(ReviewFilter::All, 0, 10_000).await);
    let reviews = read.await.unwrap().into_iter();
    reviews
        .map(|review| (review.author, review.stars.get(), review.text))
        .collect()
}

/// The statuses of all parcels.
async fn parcels(config: &Config, orders: &[Order]) -> Vec<&'static str> {
    let url = config.database().unwrap();
    let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
    let ids: Vec<_> = orders.iter().map(|order| order.id.clone()).collect();
    let read = db.read(async move |db| db.shipments_of(&ids).await);
    let parcels = read.await.unwrap().into_iter();
    parcels
        .map(|parcel| parcel.position.status.as_str())
        .collect()
}

async fn empty_shop(config: &Config) {
    let url = config.database().unwrap();
    let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
    for (id, name) in [
        ("goda-masala", "Goda Masala"),
        ("chai-masala", "Chai Masala"),
        ("rasam-powder", "Rasam Powder"),
        ("peri-peri-mix", "Peri Peri Mix"),
    ] {
        let fixture = ProductFixture {
            pouches_50g: 900,
            pouches_100g: 900,
            ..ProductFixture::new(id, name)
        };
        insert_product(&db, fixture).await;
    }
}

#[test]
fn history_is_consistent_and_the_same_every_time() {
    in_runtime(async {
        let (mut reports, mut texts, mut statuses_of_parcels) =
            (Vec::new(), Vec::new(), Vec::new());
        for engine in BOTH {
            let folder = temporary_folder();
            let flags = Flags {
                data: Some(folder.path().to_owned()),
                database_url: match engine {
                    Engine::Sqlite => None,
                    Engine::Postgres => Some(Secret::from(new_postgres_database().await)),
                },
                ..Flags::default()
            };
            let config = Config::load(&flags).unwrap();
            empty_shop(&config).await;
            let report = seed_history(&config, NOW_MS, DAYS).await.unwrap();
            assert!(report.orders > 50 && report.customers > 30, "{report:?}");
            let check = check_data::check(&config).await.unwrap();
            assert!(check.is_consistent(), "{check}");
            let reviews = reviews(&config).await;
            assert!(reviews.len() > 5, "{} reviews", reviews.len());
            texts.push(reviews);

            let orders = orders(&config).await;
            let statuses: BTreeSet<_> = orders
                .iter()
                .map(|order| order.state.order_status.as_str())
                .collect();
            for status in OrderStatus::ALL {
                let is_used = status != OrderStatus::NotApplicable;
                assert!(!is_used || statuses.contains(status.as_str()), "{status:?}");
            }
            let parcels = parcels(&config, &orders).await;
            for status in ["delivered", "in_transit", "returned"] {
                assert!(parcels.contains(&status), "{status} in {parcels:?}");
            }
            statuses_of_parcels.push(parcels);
            let discounted = orders.iter().filter(|order| order.discount.is_some());
            assert!(discounted.count() > 5);
            let earliest = NOW_MS - (DAYS + 1) * DAY_MS;
            assert!(
                orders
                    .iter()
                    .all(|order| (earliest..NOW_MS).contains(&order.created_at_ms))
            );

            let again = seed_history(&config, NOW_MS + DAY_MS, DAYS).await.unwrap();
            assert_eq!(
                again,
                Report::default(),
                "a shop with orders is not changed"
            );
            reports.push(report);
        }
        assert_eq!(reports[0], reports[1]);
        assert_eq!(texts[0], texts[1]);
        assert_eq!(statuses_of_parcels[0], statuses_of_parcels[1]);
    });
}

#[test]
fn production_shop_gets_no_history() {
    in_runtime(async {
        let folder = temporary_folder();
        let mut config = Config::load(&Flags {
            data: Some(folder.path().to_owned()),
            ..Flags::default()
        })
        .unwrap();
        config.production = true;
        let error = seed_history(&config, NOW_MS, DAYS).await.unwrap_err();
        assert!(error.to_string().contains("only for a shop with sandbox"));
        assert!(!folder.path().join("mirasa.db").exists());
    });
}
