//! Batches, and who got them.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use mirasa_domain::batch::BatchId;
use mirasa_domain::ist;
use mirasa_domain::product::ProductId;

use crate::api::orders::csv::escape_cell;
use crate::api::orders::handlers::idempotency_key;
use crate::api::stock::batch_types::{
    BatchDto, BatchRecipientDto, BatchRecipientsResponse, BatchRequest, BatchResponse,
    BatchesQuery, BatchesResponse, ListedBatchDto,
};
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

const COLUMNS: [&str; 12] = [
    "Order ID",
    "Status",
    "Packed At",
    "50 g Packs",
    "100 g Packs",
    "Name",
    "Phone",
    "Email",
    "Address",
    "City",
    "State",
    "Pincode",
];

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<BatchesQuery>,
) -> ApiResult<Json<BatchesResponse>> {
    let today = ist::day(state.shop.now_ms());
    let product = (!query.product_id.is_empty()).then_some(ProductId(query.product_id));
    let batches = state.shop.batches(product).await?;
    Ok(Json(BatchesResponse {
        batches: batches
            .into_iter()
            .map(|batch| ListedBatchDto::new(batch, today))
            .collect(),
    }))
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    headers: HeaderMap,
    Json(body): Json<BatchRequest>,
) -> ApiResult<Created<BatchResponse>> {
    let key = idempotency_key(&headers)?;
    let added = state.shop.add_batch(&admin, body.into(), key.as_deref());
    let batch = ListedBatchDto::new(added.await?, ist::day(state.shop.now_ms()));
    Ok(Created(BatchResponse { batch }))
}

pub async fn recipients(
    State(state): State<AppState>,
    Path(id): Path<BatchId>,
) -> ApiResult<Json<BatchRecipientsResponse>> {
    let (batch, recipients) = state.shop.batch_recipients(id).await?;
    let product = state.shop.catalogue.snapshot();
    let product = product.find(&batch.product);
    let name = product.map_or_else(
        || batch.product.0.clone(),
        |product| product.details.product_name.clone(),
    );
    let today = ist::day(state.shop.now_ms());
    Ok(Json(BatchRecipientsResponse {
        batch: BatchDto::new(batch, name, today),
        recipients: recipients.into_iter().map(Into::into).collect(),
    }))
}

pub async fn recipients_csv(
    State(state): State<AppState>,
    Path(id): Path<BatchId>,
) -> ApiResult<Response> {
    let (batch, recipients) = state.shop.batch_recipients(id).await?;
    let mut file = format!("\u{feff}{}\r\n", COLUMNS.join(","));
    for recipient in recipients {
        let row = BatchRecipientDto::from(recipient);
        let cells = [
            row.order_id,
            row.order_status,
            row.packed_at,
            row.qty_50g.to_string(),
            row.qty_100g.to_string(),
            row.name,
            row.phone,
            row.email,
            row.address,
            row.city,
            row.state,
            row.pincode,
        ];
        let cells: Vec<_> = cells.iter().map(|text| escape_cell(text)).collect();
        file.push_str(&cells.join(","));
        file.push_str("\r\n");
    }
    // A number may have any characters; the name of a file only some.
    let number: String = batch
        .number
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"batch_{number}.csv\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, file).into_response())
}
