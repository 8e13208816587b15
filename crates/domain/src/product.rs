//! Products, and the validation of an admin's edits.

pub use crate::id::ProductId;
use crate::money::Paise;
use crate::pack::{PackSize, Prices};
use crate::rating::Rating;
use crate::stock::Stock;
use crate::validation::{self, ValidationError};

impl ProductId {
    /// `Peri-Peri Mix` becomes `peri-peri-mix`. A name without ASCII letters and digits becomes `product`.
    pub fn from_name(name: &str) -> ProductId {
        let mut slug = String::new();
        for c in name.chars() {
            if c.is_ascii_alphanumeric() {
                slug.push(c.to_ascii_lowercase());
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
            if slug.len() >= 80 {
                break;
            }
        }
        let slug = slug.trim_end_matches('-');
        ProductId(if slug.is_empty() {
            "product".into()
        } else {
            slug.into()
        })
    }
}

/// The rank of a trending product: 1 to 10.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct TrendingRank(i64);

impl TrendingRank {
    pub fn new(rank: i64) -> Result<TrendingRank, ValidationError> {
        if (1..=10).contains(&rank) {
            Ok(TrendingRank(rank))
        } else {
            Err(ValidationError::Invalid {
                field: "trendingRank",
                rule: "must be a whole number from 1 to 10, or empty",
            })
        }
    }

    pub const fn get(self) -> i64 {
        self.0
    }
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NetWeight {
    pub value: f64,
    pub unit: String,
}

/// Per 100 g, as printed on the pouch.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct NutritionFacts {
    #[serde(rename = "Energy")]
    pub energy: String,
    #[serde(rename = "Fat")]
    pub fat: String,
    #[serde(rename = "Protein")]
    pub protein: String,
    #[serde(rename = "Carbohydrate")]
    pub carbohydrate: String,
    #[serde(rename = "Sugar")]
    pub sugar: String,
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Diet {
        #[default]
        Veg = "veg",
        NonVeg = "non-veg",
    }
}

crate::text_enum! {
    /// How hot a product tastes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Heat {
        None = "none",
        Mild = "mild",
        Medium = "medium",
        Hot = "hot",
    }
}

/// An image of a product. Size, colour and version come from the image store. They are empty for an image on another
/// host.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Image {
    pub file: String,
    pub alt: String,
    pub width: u32,
    pub height: u32,
    pub colour: String,
    pub version: String,
}

/// Everything about a product that an admin enters, except stock, visibility and rank.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ProductDetails {
    pub product_name: String,
    pub devanagari_name: String,
    pub generic_name: String,
    pub description: String,
    pub diet: Diet,
    /// None where the owner has not said it.
    pub heat: Option<Heat>,
    pub country_of_origin: String,
    pub category: Vec<String>,
    pub ingredients: Vec<String>,
    pub preservatives: String,
    pub nutrition_facts: NutritionFacts,
    pub fssai_reg_no: String,
    pub recipe: Vec<String>,
    pub manufactured_marketed_by: String,
    pub address: String,
    pub email: String,
    pub customer_care_no: String,
    /// Index 0 is the 50 g price, index 1 the 100 g price. 0 means that this size is not sold.
    pub mrp: Vec<Paise>,
    pub net_wt: Vec<NetWeight>,
    pub best_before: String,
    pub why_you_will_love_it: Vec<String>,
    pub images: Vec<Image>,
    pub hsn_code: String,
    pub gst_rate_percent: f64,
}

impl ProductDetails {
    pub fn prices(&self) -> Prices {
        let sold = |index: usize| {
            let price = self.mrp.get(index).copied();
            price.filter(|price| *price > Paise::ZERO)
        };
        Prices {
            of_50g: sold(0),
            of_100g: sold(1),
        }
    }

    /// Trims all texts, removes empty entries and checks the required fields.
    pub fn validate(mut self) -> Result<ProductDetails, ValidationError> {
        let list = |field, entries: &[String], max_chars| -> Result<Vec<String>, ValidationError> {
            let entries = entries
                .iter()
                .map(|entry| validation::multi_line(field, entry, max_chars))
                .collect::<Result<Vec<_>, _>>()?;
            let entries: Vec<String> = entries
                .into_iter()
                .filter(|entry| !entry.is_empty())
                .collect();
            if entries.len() > 100 {
                Err(ValidationError::Invalid {
                    field,
                    rule: "must have at most 100 entries",
                })
            } else {
                Ok(entries)
            }
        };
        let require = |field, is_empty: bool| {
            if is_empty {
                Err(ValidationError::Required { field })
            } else {
                Ok(())
            }
        };

        self.product_name = validation::required("product_name", &self.product_name, 120)?;
        self.category = list("category", &self.category, 60)?;
        require("category", self.category.is_empty())?;
        require("mrp", self.mrp.is_empty())?;
        require("net_wt", self.net_wt.is_empty())?;
        for weight in &mut self.net_wt {
            weight.unit = validation::required("net_wt", &weight.unit, 12)?;
            if !(0.0..=1_000_000.0).contains(&weight.value) {
                return Err(ValidationError::Invalid {
                    field: "net_wt",
                    rule: "must have a value of 0 or more",
                });
            }
        }
        self.ingredients = list("ingredients", &self.ingredients, 200)?;
        require("ingredients", self.ingredients.is_empty())?;
        self.recipe = list("recipe", &self.recipe, 1000)?;
        self.why_you_will_love_it = list("why_you_will_love_it", &self.why_you_will_love_it, 400)?;
        self.images.retain_mut(|image| {
            image.file = image.file.trim().to_owned();
            !image.file.is_empty()
        });
        for image in &mut self.images {
            image.file = validation::single_line("images", &image.file, 500)?;
            image.alt = validation::single_line("images", &image.alt, 300)?;
        }
        if !(0.0..=100.0).contains(&self.gst_rate_percent) {
            return Err(ValidationError::Invalid {
                field: "gst_rate_percent",
                rule: "must be from 0 to 100",
            });
        }
        for (field, max_chars, value) in [
            ("devanagari_name", 120, &mut self.devanagari_name),
            ("generic_name", 120, &mut self.generic_name),
            ("description", 600, &mut self.description),
            ("country_of_origin", 60, &mut self.country_of_origin),
            ("preservatives", 300, &mut self.preservatives),
            ("fssai_reg_no", 20, &mut self.fssai_reg_no),
            (
                "manufactured_marketed_by",
                200,
                &mut self.manufactured_marketed_by,
            ),
            ("address", 300, &mut self.address),
            ("email", 254, &mut self.email),
            ("customer_care_no", 40, &mut self.customer_care_no),
            ("best_before", 60, &mut self.best_before),
            ("hsn_code", 12, &mut self.hsn_code),
            ("nutrition_facts", 40, &mut self.nutrition_facts.energy),
            ("nutrition_facts", 40, &mut self.nutrition_facts.fat),
            ("nutrition_facts", 40, &mut self.nutrition_facts.protein),
            (
                "nutrition_facts",
                40,
                &mut self.nutrition_facts.carbohydrate,
            ),
            ("nutrition_facts", 40, &mut self.nutrition_facts.sugar),
        ] {
            *value = validation::single_line(field, value, max_chars)?;
        }
        Ok(self)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    pub id: ProductId,
    pub details: std::sync::Arc<ProductDetails>,
    pub stock: Stock,
    /// Grams of the stock in batches that are too old to be sent. Only reads for selling count them; others have 0.
    pub too_old_grams: i64,
    pub is_visible: bool,
    pub trending_rank: Option<TrendingRank>,
    /// Incremented by each edit, to detect concurrent edits.
    pub version: i64,
    pub updated_at_ms: i64,
    pub rating: Rating,
}

/// Below this many packs, customers see how many are left.
pub const LOW_STOCK_PACKS: u32 = 10;

impl Product {
    /// What customers can order.
    pub fn sellable(&self) -> Stock {
        self.stock.without_grams(self.too_old_grams)
    }

    /// The most packs of both sizes together that can be sold now; 0 is sold out.
    pub fn packs_left(&self) -> u32 {
        let prices = self.details.prices();
        self.sellable().packs_left(|size| prices.of(size).is_some())
    }

    /// What customers see of the stock: packs left of both sizes together and of each size, where they
    /// are below `LOW_STOCK_PACKS`.
    pub fn shown_stock(&self) -> [u32; 3] {
        let size = |size| self.sellable().max_packs(size);
        [self.packs_left(), size(PackSize::G50), size(PackSize::G100)]
            .map(|packs| packs.min(LOW_STOCK_PACKS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_id_is_a_slug_of_the_name() {
        for (name, id) in [
            ("Peri-Peri Mix", "peri-peri-mix"),
            ("  Goda  Masala! ", "goda-masala"),
            ("गोडा मसाला", "product"),
            ("Café 100% Blend", "caf-100-blend"),
        ] {
            assert_eq!(ProductId::from_name(name).0, id);
        }
        assert!(ProductId::from_name(&"a".repeat(10_000)).0.len() <= 80);
    }

    fn smallest() -> ProductDetails {
        ProductDetails {
            product_name: " Goda Masala ".into(),
            category: vec!["Maharashtrian".into(), " ".into()],
            ingredients: vec!["Coriander".into()],
            mrp: vec![Paise::new(6500)],
            net_wt: vec![NetWeight {
                value: 50.0,
                unit: "g".into(),
            }],
            images: vec![Image {
                file: "  ".into(),
                ..Image::default()
            }],
            ..ProductDetails::default()
        }
    }

    #[test]
    fn validate_trims_texts_and_names_missing_fields() {
        let checked = smallest().validate().unwrap();
        assert_eq!(checked.product_name, "Goda Masala");
        assert_eq!(checked.category, ["Maharashtrian"]);
        assert!(checked.images.is_empty(), "empty image entries are removed");
        let field = |edit: fn(&mut ProductDetails)| {
            let mut product = smallest();
            edit(&mut product);
            product.validate().unwrap_err().field()
        };
        assert_eq!(field(|p| p.product_name.clear()), "product_name");
        assert_eq!(field(|p| p.category = vec![" ".into()]), "category");
        assert_eq!(field(|p| p.mrp.clear()), "mrp");
        assert_eq!(field(|p| p.net_wt.clear()), "net_wt");
        assert_eq!(field(|p| p.net_wt[0].value = -1.0), "net_wt");
        assert_eq!(field(|p| p.net_wt[0].value = f64::NAN), "net_wt");
        assert_eq!(field(|p| p.ingredients.clear()), "ingredients");
    }

    #[test]
    fn price_of_zero_means_not_sold() {
        let prices = |mrp: &[i64]| {
            let mrp = mrp.iter().copied().map(Paise::new).collect();
            let Prices { of_50g, of_100g } = ProductDetails { mrp, ..smallest() }.prices();
            (of_50g.map(Paise::get), of_100g.map(Paise::get))
        };
        assert_eq!(prices(&[5000, 0]), (Some(5000), None));
        assert_eq!(prices(&[0, 9000]), (None, Some(9000)));
        assert_eq!(prices(&[0]), (None, None));
        assert_eq!(prices(&[1, 2]), (Some(1), Some(2)));
        let form = ProductDetails {
            mrp: vec![Paise::new(5000), Paise::ZERO],
            ..smallest()
        };
        let kept = form.validate().unwrap().mrp;
        assert_eq!(kept, [Paise::new(5000), Paise::ZERO], "kept as written");
    }

    #[test]
    fn trending_rank_is_one_to_ten() {
        assert!(TrendingRank::new(1).is_ok() && TrendingRank::new(10).is_ok());
        assert!(TrendingRank::new(0).is_err() && TrendingRank::new(11).is_err());
    }
}
