//! Products.

use mirasa_app::catalogue::PartialMatch;
use mirasa_domain::product::{Diet, Heat, Image, NutritionFacts, Product};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::reviews::rating::RatingDto;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::{Rupees, to_iso8601};

#[derive(Serialize, ToSchema)]
#[schema(as = Product)]
pub struct ProductDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub product_name: String,
    /// The name in its own script.
    pub devanagari_name: String,
    pub generic_name: String,
    pub description: String,
    pub diet: DietDto,
    /// How hot it tastes; null where the owner has not said it.
    #[schema(required)]
    pub heat: Option<HeatDto>,
    pub country_of_origin: String,
    pub ingredients: Vec<String>,
    pub preservatives: String,
    pub nutrition_facts: NutritionDto,
    pub fssai_reg_no: String,
    pub recipe: Vec<String>,
    pub manufactured_marketed_by: String,
    pub address: String,
    pub email: String,
    pub customer_care_no: String,
    /// Rupees: index 0 is the 50 g price, index 1 the 100 g price. 0 means that this size is not sold.
    #[schema(value_type = Vec<f64>)]
    pub mrp: Vec<Rupees>,
    pub net_wt: Vec<NetWeightDto>,
    pub best_before: String,
    pub category: Vec<String>,
    pub why_you_will_love_it: Vec<String>,
    /// File names under /images/products/, or URLs.
    pub images: Vec<String>,
    /// The same images with their sizes.
    pub image_details: Vec<ImageDto>,
    /// Grams.
    pub stock: i64,
    pub packaging_50gms: i64,
    pub packaging_100gms: i64,
    #[serde(rename = "isVisible")]
    pub is_visible: bool,
    /// 1 to 10, or null.
    #[serde(rename = "trendingRank")]
    #[schema(required)]
    pub trending_rank: Option<i64>,
    pub hsn_code: String,
    pub gst_rate_percent: f64,
    #[serde(rename = "updatedAt")]
    pub updated_at: String,
    /// Increased by each edit.
    pub version: i64,
    /// The mean of its reviews; null below three.
    #[schema(required)]
    pub rating: Option<RatingDto>,
}

pub type DietDto = Text<Diet>;

impl ApiEnum for Diet {
    const NAME: &'static str = "Diet";
}

pub type HeatDto = Text<Heat>;

impl ApiEnum for Heat {
    const NAME: &'static str = "Heat";
}

/// Per 100 g.
#[derive(Serialize, ToSchema)]
#[schema(as = NutritionFacts)]
#[serde(rename_all = "PascalCase")]
pub struct NutritionDto {
    pub energy: String,
    pub fat: String,
    pub protein: String,
    pub carbohydrate: String,
    pub sugar: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = NetWeight)]
pub struct NetWeightDto {
    pub value: f64,
    pub unit: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Image)]
pub struct ImageDto {
    pub file: String,
    pub alt: String,
    /// 0 if it is unknown.
    pub width: u32,
    pub height: u32,
    /// Shown while the image loads.
    pub colour: String,
    /// Changes with the image: a URL with it never changes.
    pub version: String,
}

impl From<&Image> for ImageDto {
    fn from(image: &Image) -> ImageDto {
        ImageDto {
            file: image.file.clone(),
            alt: image.alt.clone(),
            width: image.width,
            height: image.height,
            colour: image.colour.clone(),
            version: image.version.clone(),
        }
    }
}

impl From<&NutritionFacts> for NutritionDto {
    fn from(facts: &NutritionFacts) -> NutritionDto {
        NutritionDto {
            energy: facts.energy.clone(),
            fat: facts.fat.clone(),
            protein: facts.protein.clone(),
            carbohydrate: facts.carbohydrate.clone(),
            sugar: facts.sugar.clone(),
        }
    }
}

impl From<&Product> for ProductDto {
    fn from(product: &Product) -> ProductDto {
        let about = &product.details;
        ProductDto {
            id: product.id.0.clone(),
            product_name: about.product_name.clone(),
            devanagari_name: about.devanagari_name.clone(),
            generic_name: about.generic_name.clone(),
            description: about.description.clone(),
            diet: about.diet.into(),
            heat: about.heat.map(Text),
            country_of_origin: about.country_of_origin.clone(),
            ingredients: about.ingredients.clone(),
            preservatives: about.preservatives.clone(),
            nutrition_facts: (&about.nutrition_facts).into(),
            fssai_reg_no: about.fssai_reg_no.clone(),
            recipe: about.recipe.clone(),
            manufactured_marketed_by: about.manufactured_marketed_by.clone(),
            address: about.address.clone(),
            email: about.email.clone(),
            customer_care_no: about.customer_care_no.clone(),
            mrp: about.mrp.iter().copied().map(Rupees).collect(),
            net_wt: about
                .net_wt
                .iter()
                .map(|weight| NetWeightDto {
                    value: weight.value,
                    unit: weight.unit.clone(),
                })
                .collect(),
            best_before: if about.best_before.is_empty() {
                "12 Months".into()
            } else {
                about.best_before.clone()
            },
            category: about.category.clone(),
            why_you_will_love_it: about.why_you_will_love_it.clone(),
            images: about
                .images
                .iter()
                .map(|image| image.file.clone())
                .collect(),
            image_details: about.images.iter().map(ImageDto::from).collect(),
            stock: product.sellable().grams,
            packaging_50gms: product.stock.pouches_50g,
            packaging_100gms: product.stock.pouches_100g,
            is_visible: product.is_visible,
            trending_rank: product.trending_rank.map(|rank| rank.get()),
            hsn_code: about.hsn_code.clone(),
            gst_rate_percent: about.gst_rate_percent,
            updated_at: to_iso8601(product.updated_at_ms),
            version: product.version,
            rating: RatingDto::shown(&product.rating),
        }
    }
}

impl ProductDto {
    /// With the whole stock, which an admin edits. Customers see what can be sold.
    pub fn for_admin(product: &Product) -> ProductDto {
        ProductDto {
            stock: product.stock.grams,
            ..ProductDto::from(product)
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ProductsResponse {
    pub products: Vec<ProductDto>,
}

/// One page of a product list.
#[derive(Serialize, ToSchema)]
pub struct ProductListResponse {
    pub products: Vec<ProductDto>,
    /// The number of products on all pages.
    pub total: usize,
    /// The search as the shop spells it, where no product contains the text as it was typed.
    /// Without products it is a guess to ask about.
    #[serde(rename = "correctedTo", skip_serializing_if = "Option::is_none")]
    pub corrected_to: Option<String>,
    /// Which words were searched for, where no product has all of them.
    #[serde(rename = "partialMatch", skip_serializing_if = "Option::is_none")]
    pub partial_match: Option<PartialMatchDto>,
}

#[derive(Serialize, ToSchema)]
pub struct PartialMatchDto {
    /// As the shop spells them. Each product has one at least.
    pub found: Vec<String>,
    /// Words that no product of the list has, as they were typed.
    #[serde(rename = "leftOut")]
    pub left_out: Vec<String>,
}

impl From<PartialMatch> for PartialMatchDto {
    fn from(PartialMatch { found, left_out }: PartialMatch) -> PartialMatchDto {
        PartialMatchDto { found, left_out }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ProductResponse {
    pub product: ProductDto,
}

#[derive(Serialize, ToSchema)]
pub struct FiltersResponse {
    pub categories: Vec<String>,
    /// How many visible products each category has, in the same order.
    pub counts: Vec<usize>,
    /// The pack sizes.
    pub quantities: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SearchResult {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub image: String,
}

impl From<&Product> for SearchResult {
    fn from(product: &Product) -> SearchResult {
        SearchResult {
            id: product.id.0.clone(),
            name: product.details.product_name.clone(),
            image: first_image(product),
        }
    }
}

/// A product in the list under the search box.
#[derive(Serialize, ToSchema)]
pub struct SuggestionDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub image: String,
    /// Of the smallest pack size that is sold.
    pub price: Option<Rupees>,
}

#[derive(Serialize, ToSchema)]
pub struct SuggestionsResponse {
    pub suggestions: Vec<SuggestionDto>,
}

impl From<&Product> for SuggestionDto {
    fn from(product: &Product) -> SuggestionDto {
        let prices = product.details.prices();
        SuggestionDto {
            id: product.id.0.clone(),
            name: product.details.product_name.clone(),
            image: first_image(product),
            price: prices.of_50g.or(prices.of_100g).map(Rupees),
        }
    }
}

pub fn first_image(product: &Product) -> String {
    product
        .details
        .images
        .first()
        .map(|image| image.file.clone())
        .unwrap_or_default()
}
