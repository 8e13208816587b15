//! Customers as admins see them: the list, one customer, and the sender of a message.

use axum::extract::{Path, State};
use mirasa_app::repository::customers::list::CustomerFilter;
use mirasa_domain::message::MessageId;
use mirasa_domain::user::UserId;

use crate::api::customers::list_types::{
    CustomerPageResponse, CustomerResponse, CustomersQuery, MessageSenderResponse,
};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::state::AppState;

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<CustomersQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<CustomerPageResponse>> {
    let page = part.page()?;
    let filter = CustomerFilter::new(&query.search, query.sort()?);
    let found = state
        .shop
        .customers(filter, page.skip(), page.limit)
        .await?;
    Ok(Json(CustomerPageResponse {
        customers: found.customers.into_iter().map(Into::into).collect(),
        total: found.total,
        page: page.number,
        pages: ((found.total + page.limit - 1) / page.limit).max(1),
    }))
}

pub async fn get(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<CustomerResponse>> {
    let found = state.shop.customer_details(UserId(id)).await?;
    let snapshot = state.shop.catalogue.snapshot();
    Ok(Json(CustomerResponse::new(found, &snapshot)))
}

pub async fn sender(
    State(state): State<AppState>,
    Path(id): Path<MessageId>,
) -> ApiResult<Json<MessageSenderResponse>> {
    Ok(Json(state.shop.message_sender(id).await?.into()))
}
