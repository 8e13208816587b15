//! Carts and wishlists as the browser sees them, and what it may ask of them.

use mirasa_app::AppError;
use mirasa_app::cart::Cart;
use mirasa_app::cart::discounts::CartDiscount;
use mirasa_domain::money::Paise;
use mirasa_domain::pack::{InvalidQuantity, MAX_PACKS_PER_SIZE, Packs};
use mirasa_domain::product::{Product, ProductId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::catalogue::types::first_image;
use crate::api::types::Rupees;

#[derive(Serialize, ToSchema)]
pub struct CartResponse {
    pub cart: CartDto,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Cart)]
#[serde(rename_all = "camelCase")]
pub struct CartDto {
    pub items: Vec<CartItemDto>,
    pub total_packs: u32,
    /// After the discount.
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    /// The code that the customer has entered.
    #[schema(required)]
    pub discount_code: Option<String>,
    /// What the code saves; 0 if it does not apply.
    #[schema(value_type = f64)]
    pub discount_amount: Rupees,
    /// Why the code does not apply. The cart cannot be ordered with it then.
    #[schema(required)]
    pub discount_notice: Option<String>,
    /// Grows with every change of this cart.
    pub version: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CartItem)]
pub struct CartItemDto {
    #[serde(rename = "productId")]
    pub product_id: String,
    #[serde(rename = "productName")]
    pub product_name: String,
    pub image: String,
    pub image_colour: String,
    pub qty_50g: u32,
    pub qty_100g: u32,
    #[schema(value_type = Option<f64>, required)]
    pub price_50g: Option<Rupees>,
    #[schema(value_type = Option<f64>, required)]
    pub price_100g: Option<Rupees>,
    #[serde(rename = "lineTotal")]
    #[schema(value_type = f64)]
    pub line_total: Rupees,
    /// The most packs of this size that stock allows now, if only this size is bought.
    pub max_50g: u32,
    pub max_100g: u32,
    /// What the shopper should know before paying.
    #[schema(required)]
    pub notice: Option<String>,
    /// Whether the line cannot be bought as it stands.
    pub blocked: bool,
}

impl From<Cart> for CartResponse {
    fn from(cart: Cart) -> CartResponse {
        let items = cart
            .lines
            .iter()
            .map(|line| {
                let image = cart
                    .snapshot
                    .find(&line.line.product)
                    .and_then(|product| product.details.images.first());
                CartItemDto {
                    product_id: line.line.product.0.clone(),
                    product_name: line.name.clone(),
                    image: image.map(|image| image.file.clone()).unwrap_or_default(),
                    image_colour: image.map(|image| image.colour.clone()).unwrap_or_default(),
                    qty_50g: line.line.packs.of_50g,
                    qty_100g: line.line.packs.of_100g,
                    price_50g: line.prices.of_50g.map(Rupees),
                    price_100g: line.prices.of_100g.map(Rupees),
                    line_total: Rupees(line.total),
                    max_50g: line.max_50g,
                    max_100g: line.max_100g,
                    notice: line.warning.as_ref().map(ToString::to_string),
                    blocked: line
                        .warning
                        .as_ref()
                        .is_some_and(|notice| notice.blocks_checkout()),
                }
            })
            .collect();
        let discount = cart.discount.as_ref();
        CartResponse {
            cart: CartDto {
                discount_code: discount.map(|discount| discount.code.clone()),
                discount_amount: Rupees(discount.map_or(Paise::ZERO, CartDiscount::saving)),
                discount_notice: discount
                    .and_then(|discount| discount.outcome.as_ref().err())
                    .map(ToString::to_string),
                items,
                total_packs: cart.count,
                total_amount: Rupees(cart.total),
                version: cart.version,
            },
        }
    }
}

/// Packs of each size to add; or `quantity`, which adds that many 50 g packs.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "productId": "goda-masala", "qty_50g": 1 }))]
pub struct AddToCartRequest {
    #[serde(rename = "productId")]
    #[schema(min_length = 1)]
    pub product_id: String,
    #[schema(minimum = 0, maximum = 10000)]
    pub qty_50g: Option<i64>,
    #[schema(minimum = 0, maximum = 10000)]
    pub qty_100g: Option<i64>,
    #[schema(minimum = 0, maximum = 10000)]
    pub quantity: Option<i64>,
}

/// The packs that the cart will contain. Both at 0 or below removes the product.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "productId": "goda-masala", "qty_50g": 2, "qty_100g": 1 }))]
pub struct UpdateCartRequest {
    #[serde(rename = "productId")]
    #[schema(min_length = 1)]
    pub product_id: String,
    #[schema(maximum = 10000)]
    pub qty_50g: i64,
    #[schema(maximum = 10000)]
    pub qty_100g: i64,
    /// The version of the cart that the packs were computed from. If the cart has another one by now, the
    /// response is 409. Without it the last writer wins.
    pub version: Option<i64>,
}

impl AddToCartRequest {
    pub fn parse(self) -> Result<(ProductId, Packs), AppError> {
        let of_50g = match self.quantity {
            Some(quantity) => packs("quantity", quantity)?,
            None => packs("qty_50g", self.qty_50g.unwrap_or(0))?,
        };
        let packs = Packs {
            of_50g,
            of_100g: packs("qty_100g", self.qty_100g.unwrap_or(0))?,
        };
        Ok((
            product_id(
                self.product_id,
                "Product ID is required to add item to cart",
            )?,
            packs,
        ))
    }
}

impl UpdateCartRequest {
    pub fn parse(self) -> Result<(ProductId, Packs), AppError> {
        let packs = Packs {
            of_50g: packs("qty_50g", self.qty_50g.max(0))?,
            of_100g: packs("qty_100g", self.qty_100g.max(0))?,
        };
        Ok((
            product_id(self.product_id, "Product ID is required to update the cart")?,
            packs,
        ))
    }
}

pub fn product_id(text: String, when_missing: &str) -> Result<ProductId, AppError> {
    if text.trim().is_empty() {
        Err(AppError::invalid(when_missing).with_field("productId"))
    } else {
        Ok(ProductId(text))
    }
}

fn packs(field: &'static str, count: i64) -> Result<u32, AppError> {
    let count = u32::try_from(count)
        .ok()
        .filter(|count| *count <= MAX_PACKS_PER_SIZE);
    count.ok_or_else(|| InvalidQuantity { field }.into())
}

#[derive(Serialize, ToSchema)]
pub struct WishlistResponse {
    pub success: bool,
    pub wishlist: Vec<WishlistItemDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = WishlistItem)]
pub struct WishlistItemDto {
    pub id: String,
    #[serde(rename = "_id")]
    pub server_id: String,
    pub name: String,
    pub product_name: String,
    pub image: String,
    pub images: Vec<String>,
    /// Of the smallest pack that is sold, or null.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Rupees>,
    #[schema(value_type = Vec<f64>)]
    pub mrp: Vec<Rupees>,
    /// The most packs of both sizes together that can be sold now; 0 is sold out.
    pub packs_left: u32,
}

impl From<&Product> for WishlistItemDto {
    fn from(product: &Product) -> WishlistItemDto {
        let about = &product.details;
        WishlistItemDto {
            id: product.id.0.clone(),
            server_id: product.id.0.clone(),
            name: about.product_name.clone(),
            product_name: about.product_name.clone(),
            image: first_image(product),
            images: about
                .images
                .iter()
                .map(|image| image.file.clone())
                .collect(),
            price: about.prices().first().map(Rupees),
            mrp: about.mrp.iter().copied().map(Rupees).collect(),
            packs_left: product.packs_left(),
        }
    }
}
