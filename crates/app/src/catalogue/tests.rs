use mirasa_domain::money::Paise;
use mirasa_domain::product::{ProductDetails, TrendingRank};
use mirasa_domain::stock::Stock;

use super::*;

fn product(name: &str, rank: Option<i64>) -> Product {
    Product {
        id: ProductId::from_name(name),
        details: Arc::new(ProductDetails {
            product_name: name.into(),
            category: vec!["Veg".into()],
            ..ProductDetails::default()
        }),
        stock: Stock {
            grams: 1000,
            pouches_50g: 5,
            pouches_100g: 5,
        },
        is_visible: true,
        trending_rank: rank.map(|rank| TrendingRank::new(rank).unwrap()),
        version: 1,
        updated_at_ms: 0,
        too_old_grams: 0,
        rating: Default::default(),
    }
}

fn shop() -> Snapshot {
    let products = [
        product("Goda Masala", Some(2)),
        product("Rasam Powder", None),
        product("Chai Masala", Some(1)),
    ];
    Snapshot::default().with_products(products.into_iter().map(Arc::new).collect())
}

#[test]
fn trending_is_sorted_by_rank_and_search_ignores_case() {
    let shop = shop();
    let names =
        |found: Vec<&Arc<Product>>| found.iter().map(|p| p.id.0.clone()).collect::<Vec<_>>();
    let search = |words: &str| names(shop.search(words).products);
    let filter =
        |words: &str, categories: &[String]| names(shop.filter(words, categories).products);
    assert_eq!(names(shop.trending()), ["chai-masala", "goda-masala"]);
    assert_eq!(search(" MASALA "), ["goda-masala", "chai-masala"]);
    assert_eq!(search("veg").len(), 3);
    assert_eq!(filter("chai", &["VEG".into()]), ["chai-masala"]);
    assert_eq!(filter("", &[]).len(), 3);
    assert!(filter("", &["Soups".into()]).is_empty());
    assert!(search("  ").is_empty());
    let related = |limit| names(shop.related(&shop.all()[0], limit));
    assert_eq!(related(9), ["rasam-powder", "chai-masala"]);
    assert_eq!(related(1), ["rasam-powder"]);
}

#[test]
fn sale_increments_revision_and_edit_increments_content_revision() {
    let was = shop();
    assert!(
        apply_changes(
            &was,
            &[ProductChange::Upserted(product("Goda Masala", Some(2)))]
        )
        .is_none()
    );

    let mut sold = product("Goda Masala", Some(2));
    sold.stock.grams -= 50;
    let after_sale = apply_changes(&was, &[ProductChange::Upserted(sold)]).unwrap();
    assert_eq!((after_sale.content_revision, after_sale.revision), (1, 2));
    assert_eq!(after_sale.search("goda").products[0].stock.grams, 950);

    let mut hidden = product("Goda Masala", Some(2));
    hidden.is_visible = false;
    let after_hiding = apply_changes(
        &after_sale,
        &[
            ProductChange::Upserted(hidden),
            ProductChange::Deleted(ProductId("rasam-powder".into())),
        ],
    )
    .unwrap();
    assert_eq!(
        (after_hiding.content_revision, after_hiding.revision),
        (2, 3)
    );
    assert!(
        after_hiding
            .find_visible(&ProductId("goda-masala".into()))
            .is_none()
    );
    assert!(
        after_hiding
            .find(&ProductId("rasam-powder".into()))
            .is_none()
    );
    assert!(
        after_hiding
            .find_visible(&ProductId("chai-masala".into()))
            .is_some()
    );
}

#[test]
fn new_rating_increments_content_revision_and_keeps_the_index() {
    let was = shop();
    let mut rated = product("Goda Masala", Some(2));
    rated.rating.by_stars[4] = 1;
    rated.rating.version = 1;
    let next = apply_changes(&was, &[ProductChange::Upserted(rated.clone())]).unwrap();
    assert_eq!((next.content_revision, next.revision), (2, 2));
    assert_eq!(next.search("goda").products[0].rating.count(), 1);

    // An edited text leaves the numbers as they are.
    rated.rating.version = 2;
    rated.stock.grams -= 50;
    let edited = apply_changes(&next, &[ProductChange::Upserted(rated)]).unwrap();
    assert_eq!((edited.content_revision, edited.revision), (3, 3));
    assert!(was.shares_index_with(&edited));
}

#[test]
fn sale_below_the_low_stock_limit_increments_content_revision() {
    let mut before = product("Goda Masala", None);
    Arc::make_mut(&mut before.details).mrp = vec![Paise::new(6500), Paise::new(12000)];
    before.stock = Stock {
        grams: 560,
        pouches_50g: 40,
        pouches_100g: 40,
    };
    let was = Snapshot::default().with_products(vec![Arc::new(before.clone())]);
    let content_after = |grams: i64| {
        let mut sold = before.clone();
        sold.stock.grams = grams;
        let next = apply_changes(&was, &[ProductChange::Upserted(sold)]).unwrap();
        next.content_revision - was.content_revision
    };
    assert_eq!(content_after(550), 0, "11 packs of 50 g and 5 of 100 g");
    assert_eq!(content_after(490), 1, "9 packs of 50 g");
    assert_eq!(content_after(0), 1, "sold out");
}

#[test]
fn refresh_applies_deletions_edits_and_additions_together() {
    let was = shop();
    let deleted = ProductChange::Deleted(ProductId("goda-masala".into()));
    let mut renamed = product("Rasam Powder", None);
    renamed.version = 2;
    let mut last = product("Chai Masala", Some(1));
    last.stock.grams = 0;
    let changes = vec![
        deleted,
        ProductChange::Upserted(renamed),
        ProductChange::Upserted(last),
        ProductChange::Upserted(product("New Masala", None)),
    ];
    let next = apply_changes(&was, &changes).unwrap();
    let ids: Vec<_> = next.all().iter().map(|p| p.id.0.as_str()).collect();
    assert_eq!(ids, ["rasam-powder", "chai-masala", "new-masala"]);
    let find = |id: &str| next.find(&ProductId(id.into())).cloned();
    assert_eq!(find("rasam-powder").unwrap().version, 2);
    assert_eq!(find("chai-masala").unwrap().stock.grams, 0);
    assert!(find("goda-masala").is_none());
}

#[test]
fn change_made_meanwhile_is_kept() {
    let catalogue = Catalogue::holding(vec![product("Goda Masala", None)]);
    let id = ProductId("goda-masala".into());
    let sold = Stock {
        grams: 950,
        ..product("Goda Masala", None).stock
    };
    let mut hidden = product("Rasam Powder", None);
    hidden.is_visible = false;
    let changes = [ProductChange::Upserted(hidden)];
    let calls = std::cell::Cell::new(0);
    catalogue.replace(|was| {
        calls.set(calls.get() + 1);
        if calls.get() == 1 {
            catalogue.apply_stock(&[(id.clone(), sold)]);
        }
        apply_changes(was, &changes)
    });
    let is = catalogue.snapshot();
    assert_eq!(is.find(&id).unwrap().stock, sold);
    assert_eq!((is.all().len(), is.revision, calls.get()), (2, 3, 2));
    assert_eq!(*catalogue.watch().borrow(), 3);
}

#[test]
fn refresh_that_was_read_before_a_delivery_does_not_undo_it() {
    let before = shop();
    let stock_of = |grams| Stock {
        grams,
        ..product("Goda Masala", None).stock
    };
    let with_stock = |name: &str, rank, grams| {
        ProductChange::Upserted(Product {
            stock: stock_of(grams),
            ..product(name, rank)
        })
    };
    let delivered = with_stock("Goda Masala", Some(2), 6000);
    let is = apply_changes(&before, &[delivered]).unwrap();
    let read = [
        with_stock("Goda Masala", Some(3), 1000),
        with_stock("Rasam Powder", None, 900),
    ];
    let next = apply_changes(&is, &keep_newer_stock(&before, &is, &read)).unwrap();
    let find = |name: &str| next.find(&ProductId(name.into())).cloned().unwrap();
    assert_eq!(find("goda-masala").stock, stock_of(6000));
    assert_eq!(find("goda-masala").trending_rank, TrendingRank::new(3).ok());
    assert_eq!(find("rasam-powder").stock, stock_of(900));
}
