//! Products as admins edit them.

use mirasa_app::AppError;
use mirasa_app::catalogue::{CountEdit, NewProduct, ProductEdit, StockEdit};
use mirasa_domain::product::{
    Diet, Heat, Image, NetWeight, NutritionFacts, Product, ProductDetails, TrendingRank,
};
use mirasa_domain::stock::Stock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::catalogue::types::ProductDto;
use crate::api::types::Rupees;

#[derive(Serialize, ToSchema)]
pub struct ProductPageResponse {
    pub products: Vec<ProductDto>,
    pub total: usize,
    pub page: usize,
    pub pages: usize,
}

/// One text or several; always a list in responses.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum StringOrList {
    One(String),
    Several(Vec<String>),
}

impl From<StringOrList> for Vec<String> {
    fn from(texts: StringOrList) -> Vec<String> {
        match texts {
            StringOrList::One(text) => vec![text],
            StringOrList::Several(texts) => texts,
        }
    }
}

#[derive(Clone, Deserialize, ToSchema)]
pub struct NetWeightInput {
    #[schema(minimum = 0, maximum = 1000000)]
    pub value: f64,
    #[schema(min_length = 1, max_length = 12, pattern = "\\S")]
    pub unit: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NutritionInput {
    #[serde(default)]
    #[schema(max_length = 40)]
    pub energy: String,
    #[serde(default)]
    #[schema(max_length = 40)]
    pub fat: String,
    #[serde(default)]
    #[schema(max_length = 40)]
    pub protein: String,
    #[serde(default)]
    #[schema(max_length = 40)]
    pub carbohydrate: String,
    #[serde(default)]
    #[schema(max_length = 40)]
    pub sugar: String,
}

/// A product as the form sends it. A missing field keeps its value, or is empty in a new product.
#[derive(Clone, Deserialize, ToSchema)]
#[schema(example = json!({
    "product_name": "Goda Masala", "category": "Maharashtrian", "ingredients": ["Coriander seed"], "mrp": [65.5, 120],
    "net_wt": [{ "value": 50, "unit": "g" }], "stock": 5000, "packaging_50gms": 50, "packaging_100gms": 20,
}))]
pub struct ProductRequest {
    #[schema(max_length = 120, pattern = "\\S")]
    pub product_name: Option<String>,
    #[schema(max_length = 120)]
    pub devanagari_name: Option<String>,
    #[schema(max_length = 120)]
    pub generic_name: Option<String>,
    #[schema(max_length = 600)]
    pub description: Option<String>,
    /// veg or non-veg.
    #[schema(pattern = "^(veg|non-veg)$")]
    pub diet: Option<String>,
    /// none, mild, medium or hot; empty where it is not stated.
    #[schema(pattern = "^(none|mild|medium|hot)?$")]
    pub heat: Option<String>,
    #[schema(max_length = 60)]
    pub country_of_origin: Option<String>,
    pub ingredients: Option<Vec<String>>,
    #[schema(max_length = 300)]
    pub preservatives: Option<String>,
    pub nutrition_facts: Option<NutritionInput>,
    #[schema(max_length = 20)]
    pub fssai_reg_no: Option<String>,
    pub recipe: Option<StringOrList>,
    #[schema(max_length = 200)]
    pub manufactured_marketed_by: Option<String>,
    #[schema(max_length = 300)]
    pub address: Option<String>,
    #[schema(max_length = 254)]
    pub email: Option<String>,
    #[schema(max_length = 40)]
    pub customer_care_no: Option<String>,
    #[schema(value_type = Option<Vec<f64>>)]
    pub mrp: Option<Vec<Rupees>>,
    pub net_wt: Option<Vec<NetWeightInput>>,
    #[schema(max_length = 60)]
    pub best_before: Option<String>,
    pub category: Option<StringOrList>,
    pub why_you_will_love_it: Option<Vec<String>>,
    /// File names or URLs.
    pub images: Option<Vec<String>>,
    /// What each of `images` shows, in the same order, for those who cannot see it. Without it, pictures keep their texts; an
    /// empty text stands for the name of the product.
    pub image_alts: Option<Vec<String>>,
    #[schema(max_length = 12)]
    pub hsn_code: Option<String>,
    #[schema(minimum = 0, maximum = 100)]
    pub gst_rate_percent: Option<f64>,
    #[serde(rename = "isVisible")]
    pub is_visible: Option<bool>,
    #[serde(rename = "trendingRank", default, with = "double_option")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 10)]
    pub trending_rank: Option<Option<i64>>,
    /// In a new product the opening stock; in a change the new stock. With the values that the form showed (`_seen`), what
    /// was sold meanwhile is subtracted.
    #[schema(minimum = 0)]
    pub stock: Option<i64>,
    #[schema(minimum = 0)]
    pub packaging_50gms: Option<i64>,
    #[schema(minimum = 0)]
    pub packaging_100gms: Option<i64>,
    pub stock_seen: Option<i64>,
    pub packaging_50gms_seen: Option<i64>,
    pub packaging_100gms_seen: Option<i64>,
    /// Added to the stock.
    pub stock_change: Option<i64>,
    pub packaging_50gms_change: Option<i64>,
    pub packaging_100gms_change: Option<i64>,
    /// The version that the form showed: a concurrent edit is then a conflict. Without it the last edit wins.
    pub version: Option<i64>,
}

/// Distinguishes a missing field from null.
mod double_option {
    use serde::{Deserialize, Deserializer};

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<i64>>, D::Error> {
        Option::<i64>::deserialize(deserializer).map(Some)
    }
}

impl ProductRequest {
    pub fn into_new(self) -> Result<NewProduct, AppError> {
        let counts = Stock {
            grams: self.stock.unwrap_or(0),
            pouches_50g: self.packaging_50gms.unwrap_or(0),
            pouches_100g: self.packaging_100gms.unwrap_or(0),
        };
        Ok(NewProduct {
            stock: counts,
            is_visible: self.is_visible.unwrap_or(true),
            trending_rank: self.rank()?.flatten(),
            details: self.apply_to(ProductDetails {
                country_of_origin: "India".into(),
                ..ProductDetails::default()
            })?,
        })
    }

    pub fn into_edit(self, was: &Product) -> Result<ProductEdit, AppError> {
        let count = |field: &'static str,
                     change: Option<i64>,
                     wanted: Option<i64>,
                     seen: Option<i64>| match (change, wanted, seen) {
            (Some(change), ..) => Ok(CountEdit::By(change)),
            (None, Some(wanted), _) if wanted < 0 => {
                Err(AppError::invalid(format!("{field} must be 0 or more")).with_field(field))
            }
            (None, Some(wanted), Some(seen)) => Ok(CountEdit::By(wanted.saturating_sub(seen))),
            (None, Some(wanted), None) => Ok(CountEdit::To(wanted)),
            (None, None, _) => Ok(CountEdit::By(0)),
        };
        let stock = StockEdit {
            grams: count("stock", self.stock_change, self.stock, self.stock_seen)?,
            pouches_50g: count(
                "packaging_50gms",
                self.packaging_50gms_change,
                self.packaging_50gms,
                self.packaging_50gms_seen,
            )?,
            pouches_100g: count(
                "packaging_100gms",
                self.packaging_100gms_change,
                self.packaging_100gms,
                self.packaging_100gms_seen,
            )?,
        };
        Ok(ProductEdit {
            expected_version: self.version,
            stock,
            is_visible: self.is_visible,
            trending_rank: self.rank()?,
            details: self.apply_to((*was.details).clone())?,
        })
    }

    fn rank(&self) -> Result<Option<Option<TrendingRank>>, AppError> {
        Ok(self
            .trending_rank
            .map(|rank| rank.map(TrendingRank::new).transpose())
            .transpose()?)
    }

    /// Applies the given fields to the product.
    fn apply_to(self, mut about: ProductDetails) -> Result<ProductDetails, AppError> {
        fn set_if_some<T>(over: Option<T>, under: &mut T) {
            if let Some(over) = over {
                *under = over;
            }
        }
        set_if_some(self.product_name, &mut about.product_name);
        set_if_some(self.devanagari_name, &mut about.devanagari_name);
        set_if_some(self.generic_name, &mut about.generic_name);
        set_if_some(self.description, &mut about.description);
        set_if_some(self.country_of_origin, &mut about.country_of_origin);
        set_if_some(self.ingredients, &mut about.ingredients);
        set_if_some(self.preservatives, &mut about.preservatives);
        set_if_some(self.fssai_reg_no, &mut about.fssai_reg_no);
        set_if_some(self.recipe.map(Vec::from), &mut about.recipe);
        set_if_some(
            self.manufactured_marketed_by,
            &mut about.manufactured_marketed_by,
        );
        set_if_some(self.address, &mut about.address);
        set_if_some(self.email, &mut about.email);
        set_if_some(self.customer_care_no, &mut about.customer_care_no);
        set_if_some(
            self.mrp
                .map(|prices| prices.into_iter().map(|price| price.0).collect()),
            &mut about.mrp,
        );
        let weights = |weights: Vec<NetWeightInput>| {
            weights
                .into_iter()
                .map(|weight| NetWeight {
                    value: weight.value,
                    unit: weight.unit,
                })
                .collect()
        };
        set_if_some(self.net_wt.map(weights), &mut about.net_wt);
        set_if_some(self.best_before, &mut about.best_before);
        set_if_some(self.category.map(Vec::from), &mut about.category);
        set_if_some(self.why_you_will_love_it, &mut about.why_you_will_love_it);
        if let Some(files) = self.images {
            let known = std::mem::take(&mut about.images);
            let alt_of = |file: &str| {
                let found = known.iter().find(|image| image.file == file.trim());
                found.map(|image| image.alt.clone()).unwrap_or_default()
            };
            let image = |file: String| Image {
                alt: alt_of(&file),
                file,
                ..Image::default()
            };
            about.images = files.into_iter().map(image).collect();
        }
        if let Some(texts) = self.image_alts {
            if texts.len() > about.images.len() {
                let message = "image_alts must not have more entries than images";
                return Err(AppError::invalid(message).with_field("image_alts"));
            }
            for (image, text) in about.images.iter_mut().zip(texts) {
                image.alt = text;
            }
        }
        set_if_some(self.hsn_code, &mut about.hsn_code);
        set_if_some(self.gst_rate_percent, &mut about.gst_rate_percent);
        let facts = |facts: NutritionInput| NutritionFacts {
            energy: facts.energy,
            fat: facts.fat,
            protein: facts.protein,
            carbohydrate: facts.carbohydrate,
            sugar: facts.sugar,
        };
        set_if_some(self.nutrition_facts.map(facts), &mut about.nutrition_facts);
        match self.diet.as_deref() {
            None => {}
            Some("veg") => about.diet = Diet::Veg,
            Some("non-veg") => about.diet = Diet::NonVeg,
            Some(_) => {
                return Err(AppError::invalid("diet must be veg or non-veg").with_field("diet"));
            }
        }
        match self.heat.as_deref() {
            None => {}
            Some("") => about.heat = None,
            Some("none") => about.heat = Some(Heat::None),
            Some("mild") => about.heat = Some(Heat::Mild),
            Some("medium") => about.heat = Some(Heat::Medium),
            Some("hot") => about.heat = Some(Heat::Hot),
            Some(_) => return Err(AppError::invalid("heat must be none, mild, medium or hot")),
        }
        Ok(about)
    }
}

#[derive(Deserialize, ToSchema)]
pub struct TrendingRankRequest {
    /// 1 to 10, or null to clear it.
    #[serde(rename = "trendingRank")]
    #[schema(minimum = 1, maximum = 10)]
    pub trending_rank: Option<i64>,
}

#[derive(Serialize, ToSchema)]
pub struct TrendingRankResponse {
    #[serde(rename = "trendingRank")]
    #[schema(required)]
    pub trending_rank: Option<i64>,
}

#[derive(Serialize, ToSchema)]
pub struct VisibilityResponse {
    #[serde(rename = "isVisible")]
    pub is_visible: bool,
}

#[derive(Serialize, ToSchema)]
pub struct UploadResponse {
    /// The stored names, in the order of the files.
    pub files: Vec<String>,
}
