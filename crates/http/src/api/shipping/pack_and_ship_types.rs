//! Paid orders that are packed, shipped and printed together, as the browser sees them.

use mirasa_app::shipping::pack_and_ship::{OrderToPackAndShip, ParcelCost, Stage};
use mirasa_app::stock::batches::of_orders::PacksOfBatch;
use mirasa_domain::ist;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::orders::packing_types::NotPackedDto;
use crate::api::orders::types::OrderDto;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::Rupees;

pub type StageDto = Text<Stage>;

impl ApiEnum for Stage {
    const NAME: &'static str = "PackAndShipStage";
}

/// An order that is to be packed and shipped, or whose label was not printed.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderToPackAndShip)]
#[serde(rename_all = "camelCase")]
pub struct OrderToPackAndShipDto {
    pub order: OrderDto,
    /// What is done next: `pack`, `ship`, `book` (the server is booking its parcel) or `print`.
    pub stage: StageDto,
    /// What is sent, by batch. Before it is packed, a forecast.
    pub items: Vec<PacksOfBatchDto>,
    /// With the packaging.
    pub weight_grams: i64,
    /// Why it cannot be packed now.
    #[schema(required)]
    pub problem: Option<String>,
    /// Its parcel.
    #[schema(required)]
    pub shipment_id: Option<String>,
    /// Why the last attempt to book its parcel failed.
    #[schema(required)]
    pub error: Option<String>,
    /// The courier of its parcel; empty before it is chosen.
    pub courier: String,
    /// What its parcel costs, once the courier is chosen.
    #[schema(value_type = Option<f64>, required)]
    pub cost: Option<Rupees>,
}

/// Packs of one product in one size that are of one batch.
#[derive(Serialize, ToSchema)]
#[schema(as = PacksOfBatch)]
#[serde(rename_all = "camelCase")]
pub struct PacksOfBatchDto {
    pub product_id: String,
    pub product_name: String,
    /// Of one pack.
    pub grams: u32,
    pub quantity: u32,
    /// The number of the batch; null without one.
    #[schema(required)]
    pub batch: Option<String>,
    /// Its day, such as `2027-02-28`.
    #[schema(required)]
    pub best_before: Option<String>,
}

impl From<PacksOfBatch> for PacksOfBatchDto {
    fn from(packs: PacksOfBatch) -> PacksOfBatchDto {
        let (batch, best_before) = packs
            .batch
            .map(|batch| (batch.number, iso_day(batch.best_before)))
            .unzip();
        PacksOfBatchDto {
            product_id: packs.product.0,
            product_name: packs.name,
            grams: packs.size.grams(),
            quantity: packs.quantity,
            batch,
            best_before,
        }
    }
}

fn iso_day(day: i64) -> String {
    let (year, month, day) = ist::calendar_date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

impl OrderToPackAndShipDto {
    pub fn new(row: OrderToPackAndShip, order: OrderDto) -> OrderToPackAndShipDto {
        let parcel = row.parcel;
        let of_parcel = parcel.as_ref();
        OrderToPackAndShipDto {
            stage: row.stage.into(),
            items: row.items.into_iter().map(PacksOfBatchDto::from).collect(),
            weight_grams: row.weight_grams,
            problem: row.problem.map(|error| error.message),
            error: of_parcel.and_then(|parcel| parcel.error.clone()),
            courier: of_parcel.map_or_else(String::new, |parcel| parcel.courier.clone()),
            cost: of_parcel.and_then(|parcel| parcel.cost).map(Rupees),
            shipment_id: parcel.map(|parcel| parcel.id.0),
            order,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingOrdersResponse {
    /// Oldest first; at most 200.
    pub orders: Vec<OrderToPackAndShipDto>,
    pub total: i64,
    /// Whether a delivery partner is integrated. Without one, orders are only packed.
    pub has_partner: bool,
}

#[derive(Serialize, ToSchema)]
pub struct PackAndShipResponse {
    /// The ids of the orders that are packed and have a parcel, which the server books.
    pub done: Vec<String>,
    /// The others.
    pub refused: Vec<NotPackedDto>,
}

/// What the parcel of an order would cost now.
#[derive(Serialize, ToSchema)]
#[schema(as = ParcelCost)]
#[serde(rename_all = "camelCase")]
pub struct ParcelCostDto {
    pub order_id: String,
    /// Empty where the cost is not known.
    pub courier: String,
    /// Null if the delivery partner does not say, or does not serve the pincode.
    #[schema(value_type = Option<f64>, required)]
    pub cost: Option<Rupees>,
}

impl From<ParcelCost> for ParcelCostDto {
    fn from(cost: ParcelCost) -> ParcelCostDto {
        let (courier, cost_of) = cost.offer.unzip();
        ParcelCostDto {
            order_id: cost.order_id.0,
            courier: courier.unwrap_or_default(),
            cost: cost_of.map(Rupees),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ParcelCostsResponse {
    pub costs: Vec<ParcelCostDto>,
}
