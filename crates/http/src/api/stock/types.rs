//! Stock as the console shows and changes it.

use mirasa_app::AppError;
use mirasa_app::repository::stock::LedgerEntry;
use mirasa_app::stock::ProductStock;
use mirasa_app::stock::deliveries::DeliveryLine;
use mirasa_app::stock::movements::{StockInput, seen_required};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::stock_cover::Shortest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::stock::batch_types::BatchDto;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::to_iso8601;

/// Grams of spice and empty pouches.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = StockAmount)]
pub struct StockAmountDto {
    pub grams: i64,
    #[serde(rename = "pouches50g")]
    pub pouches_50g: i64,
    #[serde(rename = "pouches100g")]
    pub pouches_100g: i64,
}

impl From<Stock> for StockAmountDto {
    fn from(stock: Stock) -> StockAmountDto {
        StockAmountDto {
            grams: stock.grams,
            pouches_50g: stock.pouches_50g,
            pouches_100g: stock.pouches_100g,
        }
    }
}

impl From<Packs> for StockAmountDto {
    fn from(packs: Packs) -> StockAmountDto {
        Stock::from(packs).into()
    }
}

impl From<StockAmountDto> for Stock {
    fn from(amount: StockAmountDto) -> Stock {
        Stock {
            grams: amount.grams,
            pouches_50g: amount.pouches_50g,
            pouches_100g: amount.pouches_100g,
        }
    }
}

pub type ShortestDto = Text<Shortest>;

impl ApiEnum for Shortest {
    const NAME: &'static str = "ShortestStock";
    const DESCRIPTION: Option<&'static str> = Some("What runs out first.");
}

/// The stock of a product.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductStock)]
#[serde(rename_all = "camelCase")]
pub struct ProductStockDto {
    pub product_id: String,
    pub product_name: String,
    /// The first image; empty if there is none.
    pub image: String,
    pub is_visible: bool,
    /// What can be sold.
    pub available: StockAmountDto,
    /// Cannot be sold: in batches with less than 45 days left.
    pub too_old_grams: i64,
    /// Held by orders that wait for their payment.
    pub unpaid: StockAmountDto,
    /// Sold, and still to be packed.
    pub to_pack: StockAmountDto,
    /// All four together: what a count finds.
    pub in_shop: StockAmountDto,
    /// Paid in the last 14 days.
    pub sold: StockAmountDto,
    /// How many whole days the stock lasts at that rate. null: nothing was sold.
    #[schema(required)]
    pub days_left: Option<i64>,
    #[schema(required)]
    pub shortest: Option<ShortestDto>,
    pub is_sold_out: bool,
    pub is_low: bool,
    /// Batches with grams left, the one that ends first first.
    pub batches: Vec<BatchDto>,
    pub grams_without_batch: i64,
}

impl ProductStockDto {
    pub fn new(stock: ProductStock, today: i64) -> ProductStockDto {
        let grams_without_batch = stock.grams_without_batch();
        let in_shop = stock.in_shop().into();
        let too_old_grams = stock.too_old_grams();
        let product = stock.product;
        let name = product.details.product_name.clone();
        let image = product.details.images.first();
        ProductStockDto {
            image: image.map_or_else(String::new, |image| image.file.clone()),
            is_visible: product.is_visible,
            available: product.sellable().into(),
            too_old_grams,
            unpaid: stock.unpaid.into(),
            to_pack: stock.to_pack.into(),
            in_shop,
            sold: stock.sold.into(),
            days_left: stock.cover.map(|cover| cover.days),
            shortest: stock.cover.map(|cover| cover.shortest.into()),
            is_sold_out: product.packs_left() == 0,
            is_low: stock.is_low,
            grams_without_batch,
            batches: stock
                .batches
                .into_iter()
                .map(|batch| BatchDto::new(batch, name.clone(), today))
                .collect(),
            product_id: product.id.0,
            product_name: name,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockResponse {
    pub products: Vec<ProductStockDto>,
    /// A product that lasts fewer days is low.
    pub low_days: u32,
}

#[derive(Serialize, ToSchema)]
pub struct ProductStockResponse {
    pub product: ProductStockDto,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StockMovementKind {
    /// The amounts are what was counted.
    Count,
    Receive,
    WriteOff,
}

/// A count, a delivery, or stock that is written off.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "kind": "writeOff", "grams": 250, "note": "Spilled" }))]
#[serde(rename_all = "camelCase")]
pub struct StockMovementRequest {
    pub kind: StockMovementKind,
    #[serde(default)]
    pub grams: i64,
    #[serde(default, rename = "pouches50g")]
    pub pouches_50g: i64,
    #[serde(default, rename = "pouches100g")]
    pub pouches_100g: i64,
    /// Of a count: `inShop` when the counting began. If it is something else by now, the count is rejected.
    pub seen: Option<StockAmountDto>,
    /// Of what is written off, if it has a batch.
    pub batch_id: Option<String>,
    /// The reason. Required for what is written off, and for a count that differs.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub note: String,
}

impl StockMovementRequest {
    pub fn input(&self) -> Result<StockInput, AppError> {
        let amount = Stock {
            grams: self.grams,
            pouches_50g: self.pouches_50g,
            pouches_100g: self.pouches_100g,
        };
        Ok(match self.kind {
            StockMovementKind::Count => StockInput::Count {
                counted: amount,
                seen: self.seen.ok_or_else(seen_required)?.into(),
            },
            StockMovementKind::Receive => StockInput::Receive(amount),
            StockMovementKind::WriteOff => StockInput::WriteOff {
                amount,
                batch_id: self.batch_id.clone().map(Into::into),
            },
        })
    }
}

/// What came of one product.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryLineDto {
    pub product_id: String,
    #[serde(default)]
    #[schema(minimum = 0)]
    pub grams: i64,
    #[serde(default, rename = "pouches50g")]
    #[schema(minimum = 0)]
    pub pouches_50g: i64,
    #[serde(default, rename = "pouches100g")]
    #[schema(minimum = 0)]
    pub pouches_100g: i64,
}

#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = DeliveryInput)]
pub struct DeliveryRequest {
    /// Each product once. All of them are received, or none.
    pub lines: Vec<DeliveryLineDto>,
    #[serde(default)]
    #[schema(max_length = 200)]
    pub note: String,
}

impl DeliveryRequest {
    pub fn lines(&self) -> Vec<DeliveryLine> {
        let line = |line: &DeliveryLineDto| DeliveryLine {
            product: ProductId(line.product_id.clone()),
            amount: Stock {
                grams: line.grams,
                pouches_50g: line.pouches_50g,
                pouches_100g: line.pouches_100g,
            },
        };
        self.lines.iter().map(line).collect()
    }
}

/// A row of the stock ledger.
#[derive(Serialize, ToSchema)]
#[schema(as = StockMovement)]
#[serde(rename_all = "camelCase")]
pub struct StockMovementDto {
    #[serde(rename = "_id")]
    pub id: String,
    /// `opening`, `edit`, `count`, `receive`, `write off`, `batch`; of an order `hold`, `release`, `take again`, `restock`.
    pub reason: String,
    #[schema(required)]
    pub order_id: Option<String>,
    pub change: StockAmountDto,
    pub note: String,
    /// The admin's email.
    #[schema(required)]
    pub by: Option<String>,
    #[schema(required)]
    pub batch: Option<String>,
    pub at: String,
}

impl From<LedgerEntry> for StockMovementDto {
    fn from(entry: LedgerEntry) -> StockMovementDto {
        StockMovementDto {
            id: entry.id,
            reason: entry.reason,
            order_id: entry.order_id.map(|id| id.0),
            change: entry.change.into(),
            note: entry.note,
            by: entry.actor,
            batch: entry.batch_number,
            at: to_iso8601(entry.at_ms),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct StockMovementsResponse {
    /// The newest first.
    pub movements: Vec<StockMovementDto>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}
