//! The search of the console.

use axum::extract::State;
use mirasa_app::reports::console_search::ConsoleResults;
use mirasa_app::repository::reports::console_search::{FoundOrder, OrderMatch};
use mirasa_domain::order::short_id;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::customers::list_types::CustomerDto;
use crate::api::orders::status_types::OrderStatusDto;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::{Rupees, to_iso8601};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct ConsoleSearchQuery {
    /// The number of an order, an invoice or a parcel, or part of a customer's name, phone or email, or of a product's name.
    #[serde(default)]
    #[param(min_length = 2, max_length = 100)]
    q: String,
}

pub type OrderMatchDto = Text<OrderMatch>;

impl ApiEnum for OrderMatch {
    const NAME: &'static str = "OrderMatch";
    const DESCRIPTION: Option<&'static str> = Some("Whose number the search text is.");
}

#[derive(Serialize, ToSchema)]
#[schema(as = FoundOrder)]
#[serde(rename_all = "camelCase")]
pub struct FoundOrderDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_number: String,
    pub matched: OrderMatchDto,
    /// The number of the parcel or the invoice; empty where the order's own number was found.
    pub number: String,
    pub customer_name: String,
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    pub order_status: OrderStatusDto,
    pub created_at: String,
    #[schema(required)]
    pub deleted_at: Option<String>,
}

impl From<FoundOrder> for FoundOrderDto {
    fn from(found: FoundOrder) -> FoundOrderDto {
        FoundOrderDto {
            order_number: short_id(&found.id),
            id: found.id.0,
            matched: found.matched.into(),
            number: found.number,
            customer_name: found.customer_name,
            total_amount: Rupees(found.total),
            order_status: found.status.into(),
            created_at: to_iso8601(found.created_at_ms),
            deleted_at: found.deleted_at_ms.map(to_iso8601),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FoundProduct)]
#[serde(rename_all = "camelCase")]
pub struct FoundProductDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub is_visible: bool,
}

/// At most five of each.
#[derive(Serialize, ToSchema)]
pub struct ConsoleSearchResponse {
    pub orders: Vec<FoundOrderDto>,
    pub customers: Vec<CustomerDto>,
    pub products: Vec<FoundProductDto>,
}

impl From<ConsoleResults> for ConsoleSearchResponse {
    fn from(found: ConsoleResults) -> ConsoleSearchResponse {
        let product = |product: &std::sync::Arc<mirasa_domain::product::Product>| FoundProductDto {
            id: product.id.0.clone(),
            name: product.details.product_name.clone(),
            is_visible: product.is_visible,
        };
        ConsoleSearchResponse {
            orders: found.orders.into_iter().map(FoundOrderDto::from).collect(),
            customers: found.customers.into_iter().map(CustomerDto::from).collect(),
            products: found.products.iter().map(product).collect(),
        }
    }
}

pub async fn get(
    State(state): State<AppState>,
    Query(query): Query<ConsoleSearchQuery>,
) -> ApiResult<Json<ConsoleSearchResponse>> {
    let found = state.shop.search_console(&query.q).await?;
    Ok(Json(found.into()))
}
