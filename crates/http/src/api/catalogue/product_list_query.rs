//! The filters and the page of a product list.

use std::sync::Arc;

use mirasa_app::AppError;
use mirasa_domain::product::Product;
use serde::Deserialize;
use utoipa::IntoParams;

/// The default is the whole list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProductListQuery {
    pub search: String,
    pub categories: Vec<String>,
    pub sort: ProductSort,
    page: usize,
    limit: Option<usize>,
}

/// The order of a list. The web app sorts small catalogues by the same rules
/// (web/src/features/catalogue/sorting.ts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProductSort {
    /// In the order in which they came into the shop.
    #[default]
    Oldest,
    /// By trending rank, then as they came into the shop.
    Popular,
    /// By the price of the smallest pack that is sold; without a price last.
    Price,
    Name,
    Newest,
}

impl ProductSort {
    fn parse(text: &str) -> Result<ProductSort, AppError> {
        match text {
            "" => Ok(ProductSort::Oldest),
            "popular" => Ok(ProductSort::Popular),
            "price" => Ok(ProductSort::Price),
            "name" => Ok(ProductSort::Name),
            "new" => Ok(ProductSort::Newest),
            _ => {
                let message = "sort must be popular, price, name or new";
                Err(AppError::invalid(message).with_field("sort"))
            }
        }
    }

    /// Sorts products that are in the order in which they came into the shop.
    pub fn apply(self, products: &mut [&Arc<Product>]) {
        match self {
            ProductSort::Oldest => {}
            ProductSort::Popular => products.sort_by_key(|product| {
                let rank = product.trending_rank;
                (rank.is_none(), rank)
            }),
            ProductSort::Price => products.sort_by_key(|product| {
                let price = product.details.prices().first();
                (price.is_none(), price)
            }),
            ProductSort::Name => {
                products.sort_by_cached_key(|product| product.details.product_name.to_lowercase());
            }
            ProductSort::Newest => products.reverse(),
        }
    }

    /// Sorts what a search found behind the products that contain its text. They are in the order of their relevance, and
    /// stay in it unless they are sorted by price or name.
    pub fn apply_to_close_matches(self, products: &mut [&Arc<Product>]) {
        match self {
            ProductSort::Price | ProductSort::Name => self.apply(products),
            ProductSort::Oldest | ProductSort::Popular | ProductSort::Newest => {}
        }
    }
}

/// The parameters, for the OpenAPI description.
#[derive(Deserialize, IntoParams)]
#[allow(dead_code)]
pub struct ProductListParams {
    /// Part of a product's name or category; close spellings, synonyms and ingredients are found as well.
    search: Option<String>,
    /// Products of any of these categories.
    category: Option<Vec<String>>,
    /// popular, price, name or new; without it, in the order in which they came into the shop.
    #[param(pattern = "^(popular|price|name|new)?$")]
    sort: Option<String>,
    /// 1 is the first.
    #[param(minimum = 1)]
    page: Option<usize>,
    /// Products on a page; all by default.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

impl ProductListQuery {
    pub fn parse(query: &str) -> Result<ProductListQuery, AppError> {
        let mut parsed = ProductListQuery::default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "search" => parsed.search = value.trim().to_lowercase(),
                "category" if value.trim().is_empty() => {}
                "category" => parsed.categories.push(value.trim().to_lowercase()),
                "sort" => parsed.sort = ProductSort::parse(&value)?,
                "page" => parsed.page = parse_number("page", &value, usize::MAX)? - 1,
                "limit" => parsed.limit = Some(parse_number("limit", &value, 1000)?),
                _ => {}
            }
        }
        parsed.categories.sort();
        parsed.categories.dedup();
        Ok(parsed)
    }

    pub fn paginate<'a, T>(&self, found: &'a [T]) -> &'a [T] {
        let Some(limit) = self.limit else {
            return found;
        };
        let start = self.page.saturating_mul(limit).min(found.len());
        &found[start..found.len().min(start + limit)]
    }
}

fn parse_number(name: &'static str, text: &str, max: usize) -> Result<usize, AppError> {
    let bad = || {
        AppError::invalid(match max {
            usize::MAX => format!("{name} must be a whole number, 1 or more"),
            _ => format!("{name} must be a whole number from 1 to {max}"),
        })
        .with_field(name)
    };
    let number: usize = text.parse().map_err(|_| bad())?;
    (1..=max)
        .contains(&number)
        .then_some(number)
        .ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use mirasa_domain::money::Paise;
    use mirasa_domain::product::{ProductDetails, ProductId, TrendingRank};
    use mirasa_domain::stock::Stock;

    use super::*;

    #[test]
    fn page_is_a_part_of_the_filtered_list() {
        let part = |query: &str| {
            let query = ProductListQuery::parse(query).unwrap();
            query.paginate(&[1, 2, 3, 4, 5]).to_vec()
        };
        assert_eq!(part(""), [1, 2, 3, 4, 5]);
        assert_eq!(part("limit=2"), [1, 2]);
        assert_eq!(part("limit=2&page=3"), [5]);
        assert!(part("limit=2&page=4").is_empty());
        assert!(part("limit=1000&page=18446744073709551615").is_empty());
    }

    #[test]
    fn list_is_sorted_by_rank_price_name_or_age() {
        let product = |name: &str, rank: Option<i64>, mrp: &[i64]| {
            Arc::new(Product {
                id: ProductId::from_name(name),
                details: Arc::new(ProductDetails {
                    product_name: name.into(),
                    mrp: mrp.iter().map(|rupees| Paise::new(rupees * 100)).collect(),
                    ..ProductDetails::default()
                }),
                stock: Stock::default(),
                is_visible: true,
                trending_rank: rank.map(|rank| TrendingRank::new(rank).unwrap()),
                version: 1,
                updated_at_ms: 0,
                too_old_grams: 0,
                rating: Default::default(),
            })
        };
        let shop = [
            product("goda", None, &[65, 120]),
            product("Chai", Some(2), &[0, 60]),
            product("Rasam", Some(1), &[]),
            product("Amti", None, &[65]),
        ];
        let sorted = |query: &str| {
            let mut found: Vec<_> = shop.iter().collect();
            let query = ProductListQuery::parse(query).unwrap();
            query.sort.apply(&mut found);
            let ids: Vec<_> = found.iter().map(|product| product.id.0.as_str()).collect();
            ids.join(" ")
        };
        assert_eq!(sorted(""), "goda chai rasam amti");
        assert_eq!(sorted("sort=popular"), "rasam chai goda amti");
        assert_eq!(sorted("sort=price"), "chai goda amti rasam");
        assert_eq!(sorted("sort=name"), "amti chai goda rasam");
        assert_eq!(sorted("sort=new"), "amti rasam chai goda");
    }

    #[test]
    fn equal_queries_are_normalised() {
        let parse = |query| ProductListQuery::parse(query).unwrap();
        assert_eq!(
            parse("category=Veg&category=soups&search=%20RASAM&unknown=1"),
            parse("search=rasam&category=Soups&category=veg&category=VEG")
        );
        for bad in [
            "page=0",
            "page=x",
            "limit=0",
            "limit=1001",
            "limit=-1",
            "page=",
            "sort=cheapest",
        ] {
            assert!(ProductListQuery::parse(bad).is_err(), "{bad}");
        }
    }
}
