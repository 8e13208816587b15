//! Products as CSV files: the export, and the import with its dry run.

use axum::extract::{Multipart, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use mirasa_app::AppError;
use mirasa_app::catalogue::CsvFormat;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::catalogue::import_types::ProductImportResponse;
use crate::api::orders::handlers::idempotency_key;
use crate::api::orders::problems::multipart_error;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct ExportQuery {
    /// mirasa (all columns; the default) or shopify.
    format: Option<String>,
}

pub async fn export(
    State(state): State<AppState>,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let (format, name) = match query.format.as_deref() {
        None | Some("mirasa") => (CsvFormat::Own, "products.csv"),
        Some("shopify") => (CsvFormat::Shopify, "products_shopify.csv"),
        Some(_) => {
            let text = "format must be mirasa or shopify";
            return Err(AppError::invalid(text).with_field("format").into());
        }
    };
    let file = state.shop.export_products(format)?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, file).into_response())
}

#[derive(Deserialize, IntoParams)]
pub struct ImportQuery {
    /// Only report what would change.
    #[serde(rename = "dryRun", default)]
    dry_run: bool,
}

pub async fn import(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Query(query): Query<ImportQuery>,
    headers: HeaderMap,
    mut form: Multipart,
) -> ApiResult<Json<ProductImportResponse>> {
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        if field.name() != Some("file") {
            continue;
        }
        let file = field.bytes().await.map_err(multipart_error)?.to_vec();
        let report = if query.dry_run {
            state.shop.dry_run_import(file).await
        } else {
            let key = idempotency_key(&headers)?;
            let imported = state.shop.import_products(&who, file, key.as_deref());
            imported.await
        };
        return Ok(Json(report?.into()));
    }
    Err(AppError::invalid("file is required")
        .with_field("file")
        .into())
}
