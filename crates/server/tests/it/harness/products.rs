//! Product fixtures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::money::Paise;
use mirasa_domain::product::{NetWeight, Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::Stock;

static LEDGER: AtomicU32 = AtomicU32::new(0);

/// A product with ample stock by default.
#[derive(Clone, Copy)]
pub struct ProductFixture {
    pub id: &'static str,
    pub name: &'static str,
    pub category: &'static [&'static str],
    /// Paise for 50 g and 100 g.
    pub mrp: &'static [i64],
    pub grams: i64,
    pub pouches_50g: i64,
    pub pouches_100g: i64,
    pub visible: bool,
    pub rank: Option<i64>,
    pub deleted: bool,
}

impl ProductFixture {
    pub const fn new(id: &'static str, name: &'static str) -> ProductFixture {
        ProductFixture {
            id,
            name,
            category: &["Veg"],
            mrp: &[65_50, 120_00],
            grams: 100_000,
            pouches_50g: 500,
            pouches_100g: 500,
            visible: true,
            rank: None,
            deleted: false,
        }
    }

    pub fn product_details(&self) -> ProductDetails {
        let details = ProductDetails {
            product_name: self.name.into(),
            description: format!("All about {}.", self.name),
            category: self
                .category
                .iter()
                .map(|&category| category.into())
                .collect(),
            ingredients: vec!["Coriander seed".into(), "Red chilli".into()],
            recipe: vec!["Roast.".into(), "Grind.".into()],
            mrp: self.mrp.iter().copied().map(Paise::new).collect(),
            net_wt: vec![NetWeight {
                value: 50.0,
                unit: "g".into(),
            }],
            hsn_code: "09109100".into(),
            gst_rate_percent: 5.0,
            ..ProductDetails::default()
        };
        details.validate().unwrap()
    }
}

/// The products of every server: three visible, one hidden, one deleted.
pub fn default_products() -> [ProductFixture; 5] {
    [
        ProductFixture {
            category: &["Maharashtrian", "Veg"],
            rank: Some(2),
            ..ProductFixture::new("goda-masala", "Goda Masala")
        },
        ProductFixture {
            category: &["Beverages"],
            mrp: &[80_00],
            rank: Some(1),
            ..ProductFixture::new("chai-masala", "Chai Masala")
        },
        ProductFixture {
            category: &["South Indian", "Veg"],
            ..ProductFixture::new("rasam-powder", "Rasam Powder")
        },
        ProductFixture {
            category: &["Secret"],
            visible: false,
            rank: Some(3),
            ..ProductFixture::new("hidden-masala", "Hidden Masala")
        },
        ProductFixture {
            category: &["Bygone"],
            deleted: true,
            ..ProductFixture::new("deleted-masala", "Deleted Masala")
        },
    ]
}

pub async fn insert_product(db: &Database, fixture: ProductFixture) {
    let product = Product {
        id: ProductId(fixture.id.into()),
        details: Arc::new(fixture.product_details()),
        stock: Stock {
            grams: fixture.grams,
            pouches_50g: fixture.pouches_50g,
            pouches_100g: fixture.pouches_100g,
        },
        is_visible: fixture.visible,
        trending_rank: fixture.rank.map(|rank| TrendingRank::new(rank).unwrap()),
        version: 1,
        updated_at_ms: 0,
        too_old_grams: 0,
        rating: Default::default(),
    };
    let ledger_id = format!("it-{}", LEDGER.fetch_add(1, Ordering::Relaxed));
    let now_ms = now_ms();
    db.write(async move |tx| {
        tx.insert_product(&product, &ledger_id, now_ms).await?;
        if fixture.deleted {
            tx.delete_product(&product.id, now_ms).await?;
        }
        Ok::<_, StoreError>(())
    })
    .await
    .unwrap();
}

pub fn now_ms() -> i64 {
    use mirasa_app::ports::clock::{Clock as _, SystemClock};
    SystemClock.now_ms()
}

/// An amount of the API, in paise.
#[allow(clippy::cast_possible_truncation)]
pub fn paise(rupees: &serde_json::Value) -> i64 {
    (rupees.as_f64().unwrap() * 100.0).round() as i64
}
