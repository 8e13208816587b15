//! Products, stock and its ledger.

use std::sync::Arc;

use mirasa_app::repository::catalogue::ProductChange;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::money::Paise;
use mirasa_domain::product::{Image, Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::{Stock, StockAdjustment};

use crate::engines::{constraint, for_each_engine, read, write};

pub fn product(name: &str) -> Product {
    Product {
        id: ProductId::from_name(name),
        details: Arc::new(ProductDetails {
            product_name: name.into(),
            devanagari_name: "गोडा मसाला".into(),
            category: vec!["Veg".into(), "O'Brien \"quoted\"".into()],
            mrp: vec![Paise::new(6550), Paise::new(12000)],
            images: vec![Image {
                file: "a lifestyle shot.webp".into(),
                ..Image::default()
            }],
            ..ProductDetails::default()
        }),
        stock: Stock {
            grams: 1000,
            pouches_50g: 10,
            pouches_100g: 5,
        },
        is_visible: true,
        trending_rank: None,
        version: 1,
        updated_at_ms: 100,
        too_old_grams: 0,
        rating: Default::default(),
    }
}

pub async fn add_product(db: &Database, name: &str) -> Product {
    let product = product(name);
    let inserted = product.clone();
    write!(db, tx => tx.insert_product(&product, &format!("ledger-{}", product.id.0), 100).await?);
    inserted
}

#[tokio::test]
async fn product_is_read_as_it_was_stored() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda Masala").await;
        let id = product.id.clone();
        assert_eq!(
            read!(shop.db, db => db.product(&id).await?),
            Some(product.clone())
        );
        add_product(&shop.db, "Another").await;
        let all = read!(shop.db, db => db.all_products().await?);
        assert_eq!(
            all.iter().map(|p| p.id.0.as_str()).collect::<Vec<_>>(),
            ["goda-masala", "another"],
            "in the order in which they were added"
        );
        assert_eq!(
            read!(shop.db, db => db.product(&ProductId("nothing".into())).await?),
            None
        );
    })
    .await;
}

#[tokio::test]
async fn update_details_with_an_old_version_changes_nothing() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda Masala").await;
        let edit = ProductDetails {
            product_name: "Goda Masala, new".into(),
            ..(*product.details).clone()
        };
        let (id, again) = (product.id.clone(), edit.clone());
        assert!(write!(shop.db, tx => tx.update_details(&id, &edit, 1, 200).await?));
        let id = product.id.clone();
        assert!(!write!(shop.db, tx => tx.update_details(&id, &again, 1, 300).await?));
        let id = product.id.clone();
        let now = read!(shop.db, db => db.product(&id).await?).unwrap();
        assert_eq!(
            (
                now.version,
                now.updated_at_ms,
                now.details.product_name.as_str()
            ),
            (2, 200, "Goda Masala, new")
        );
        assert_eq!(now.id, product.id, "the id does not change with the name");
    })
    .await;
}

#[tokio::test]
async fn stock_cannot_become_negative() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda Masala").await;
        for (change, expected) in [
            (Stock { grams: -1001, ..Stock::default() }, "stock_grams"),
            (Stock { pouches_50g: -11, ..Stock::default() }, "pouches_50g"),
            (Stock { pouches_100g: -6, ..Stock::default() }, "pouches_100g"),
        ] {
            let id = product.id.clone();
            let result = shop.db.write(async move |tx| tx.adjust_stock(&id, change, StockAdjustment::Manual, "x", 200).await).await;
            assert!(constraint(result).contains(expected));
        }
        let id = product.id.clone();
        write!(shop.db, tx => tx.adjust_stock(&id, Stock { grams: -1000, pouches_50g: -10, pouches_100g: -5 }, StockAdjustment::Manual, "y", 300).await?);
        let id = product.id.clone();
        assert_eq!(read!(shop.db, db => db.product(&id).await?).unwrap().stock, Stock::default());
    })
    .await;
}

#[tokio::test]
async fn trending_rank_belongs_to_one_product() {
    for_each_engine(|shop| async move {
        add_product(&shop.db, "First").await;
        add_product(&shop.db, "Second").await;
        let rank = Some(TrendingRank::new(1).unwrap());
        for name in ["first", "second"] {
            write!(shop.db, tx => tx.set_trending_rank(&ProductId(name.into()), rank, 200).await?);
        }
        let all = read!(shop.db, db => db.all_products().await?);
        assert_eq!(
            all.iter().map(|p| p.trending_rank).collect::<Vec<_>>(),
            [None, rank]
        );
        write!(shop.db, tx => tx.set_trending_rank(&ProductId("second".into()), None, 300).await?);
        let all = read!(shop.db, db => db.all_products().await?);
        assert!(all.iter().all(|p| p.trending_rank.is_none()));
    })
    .await;
}

#[tokio::test]
async fn products_changed_since_returns_edits_and_deletions() {
    for_each_engine(|shop| async move {
        add_product(&shop.db, "First").await;
        add_product(&shop.db, "Second").await;
        assert!(read!(shop.db, db => db.products_changed_since(101).await?).is_empty());
        write!(shop.db, tx => tx.set_visibility(&ProductId("first".into()), false, 200).await?);
        assert!(write!(shop.db, tx => tx.delete_product(&ProductId("second".into()), 201).await?));
        assert!(!write!(shop.db, tx => tx.delete_product(&ProductId("second".into()), 202).await?));
        let changes = read!(shop.db, db => db.products_changed_since(200).await?);
        assert!(matches!(&changes[..], [ProductChange::Upserted(first), ProductChange::Deleted(second)] if !first.is_visible && second.0 == "second"));
        assert!(read!(shop.db, db => db.product_id_taken(&ProductId("second".into())).await?), "the id of a deleted product stays taken");
        assert!(read!(shop.db, db => db.product(&ProductId("second".into())).await?).is_none());
    })
    .await;
}

#[tokio::test]
async fn product_id_is_unique() {
    for_each_engine(|shop| async move {
        add_product(&shop.db, "First").await;
        let again: Result<(), StoreError> = shop
            .db
            .write(async move |tx| tx.insert_product(&product("First"), "other", 100).await)
            .await;
        assert!(!constraint(again).is_empty());
    })
    .await;
}
