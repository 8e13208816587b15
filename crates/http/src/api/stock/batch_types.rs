//! Batches as the console shows and records them.

use mirasa_app::repository::stock::batches::{BatchRecipient, ListedBatch};
use mirasa_app::stock::batches::NewBatch;
use mirasa_domain::batch::Batch;
use mirasa_domain::ist;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::types::to_iso8601;

#[derive(Serialize, ToSchema)]
#[schema(as = Batch)]
#[serde(rename_all = "camelCase")]
pub struct BatchDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub product_id: String,
    pub product_name: String,
    pub number: String,
    /// `2026-11-15`
    #[schema(required)]
    pub made_on: Option<String>,
    pub best_before: String,
    /// Until the best-before date, in India.
    pub days_left: i64,
    /// Whether it may be packed: it has at least 45 days left.
    pub can_be_sent: bool,
    pub received_grams: i64,
    pub left_grams: i64,
    pub recorded_by: String,
    pub recorded_at: String,
}

impl BatchDto {
    pub fn new(batch: Batch, product_name: String, today: i64) -> BatchDto {
        BatchDto {
            days_left: batch.days_left(today),
            can_be_sent: batch.can_be_sent(today),
            id: batch.id.0,
            product_id: batch.product.0,
            product_name,
            number: batch.number,
            made_on: batch.made_on.map(ist::iso_date),
            best_before: ist::iso_date(batch.best_before),
            received_grams: batch.received_grams,
            left_grams: batch.left_grams,
            recorded_by: batch.created_by,
            recorded_at: to_iso8601(batch.created_at_ms),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ListedBatch)]
pub struct ListedBatchDto {
    #[serde(flatten)]
    pub batch: BatchDto,
    /// How many orders have packs of it.
    pub orders: i64,
}

impl ListedBatchDto {
    pub fn new(listed: ListedBatch, today: i64) -> ListedBatchDto {
        ListedBatchDto {
            batch: BatchDto::new(listed.batch, listed.product_name, today),
            orders: listed.orders,
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct BatchesQuery {
    /// Only of this product.
    pub product_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct BatchesResponse {
    /// The newest first.
    pub batches: Vec<ListedBatchDto>,
}

#[derive(Serialize, ToSchema)]
pub struct BatchResponse {
    pub batch: ListedBatchDto,
}

/// A batch that is received, with pouches if there are any.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({
    "productId": "goda-masala", "number": "GM-2611", "madeOn": "2026-11-10", "bestBefore": "2027-11-09", "grams": 20000
}))]
#[serde(rename_all = "camelCase")]
pub struct BatchRequest {
    pub product_id: String,
    /// As it is printed on the pouches.
    #[schema(min_length = 1, max_length = 40)]
    pub number: String,
    /// May be left out.
    #[serde(default)]
    pub made_on: String,
    pub best_before: String,
    #[schema(minimum = 1)]
    pub grams: i64,
    #[serde(default, rename = "pouches50g")]
    pub pouches_50g: i64,
    #[serde(default, rename = "pouches100g")]
    pub pouches_100g: i64,
    /// The grams are in stock already and only get a batch.
    #[serde(default)]
    pub in_stock: bool,
    #[serde(default)]
    #[schema(max_length = 200)]
    pub note: String,
}

impl From<BatchRequest> for NewBatch {
    fn from(request: BatchRequest) -> NewBatch {
        NewBatch {
            product: ProductId(request.product_id),
            number: request.number,
            made_on: request.made_on,
            best_before: request.best_before,
            amount: Stock {
                grams: request.grams,
                pouches_50g: request.pouches_50g,
                pouches_100g: request.pouches_100g,
            },
            is_in_stock: request.in_stock,
            note: request.note,
        }
    }
}

/// An order with packs of a batch.
#[derive(Serialize, ToSchema)]
#[schema(as = BatchRecipient)]
#[serde(rename_all = "camelCase")]
pub struct BatchRecipientDto {
    pub order_id: String,
    pub order_status: String,
    pub packed_at: String,
    #[serde(rename = "qty_50g")]
    pub qty_50g: u32,
    #[serde(rename = "qty_100g")]
    pub qty_100g: u32,
    pub name: String,
    pub phone: String,
    /// Empty if the account was deleted.
    pub email: String,
    pub address: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
}

impl From<BatchRecipient> for BatchRecipientDto {
    fn from(recipient: BatchRecipient) -> BatchRecipientDto {
        let (order, packs) = (recipient.order, recipient.packs);
        let address = order.address;
        BatchRecipientDto {
            order_id: order.id.0,
            order_status: order.state.order_status.as_str().to_owned(),
            packed_at: to_iso8601(recipient.packed_at_ms),
            qty_50g: packs.of_50g,
            qty_100g: packs.of_100g,
            name: address.name,
            phone: address.phone,
            email: recipient.email,
            address: format!("{} {}", address.line1, address.line2)
                .trim()
                .to_owned(),
            city: address.city,
            state: address.state,
            pincode: address.pincode,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BatchRecipientsResponse {
    pub batch: BatchDto,
    /// The first packed first.
    pub recipients: Vec<BatchRecipientDto>,
}
