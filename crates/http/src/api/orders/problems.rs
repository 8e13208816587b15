//! A customer reports a problem with a delivered order, with photos.

use std::sync::Arc;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use mirasa_app::orders::ProblemReport;
use mirasa_app::ports::images::{Format, ImageFolder, ImageRequest, MAX_UPLOAD_BYTES};
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::order::OrderId;
use mirasa_domain::problem::{MAX_PROBLEM_IMAGES, ProblemLine};
use tokio::sync::OwnedSemaphorePermit;

use crate::api::orders::history_types::{PacksRequest, Viewer};
use crate::api::orders::problem_types::{ProblemDto, ProblemResponse};
use crate::error::ApiResult;
use crate::extract::json::Created;
use crate::guard::access::CurrentUser;
use crate::guard::upload_gate::Uploader;
use crate::state::AppState;

/// More than the longest message or list of packs.
const MAX_TEXT_BYTES: usize = 64 * 1024;

pub fn multipart_error(error: MultipartError) -> AppError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            AppError::new(ErrorCode::TooLarge, "The upload is too large")
        }
        _ => AppError::invalid("The upload could not be read"),
    }
}

pub async fn read_field(
    field: &mut Field<'_>,
    limit: usize,
    too_large: impl Fn() -> AppError,
) -> Result<Vec<u8>, AppError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(multipart_error)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > limit {
            return Err(too_large());
        }
    }
    Ok(bytes)
}

pub fn text(field: &'static str, bytes: Vec<u8>) -> Result<String, AppError> {
    String::from_utf8(bytes)
        .map_err(|_| AppError::invalid(format!("{field} must be text")).with_field(field))
}

fn parse_lines(bytes: Vec<u8>) -> Result<Vec<ProblemLine>, AppError> {
    let invalid = |_| {
        let message = "lines must be a list of {productId, qty_50g, qty_100g}";
        AppError::invalid(message).with_field("lines")
    };
    let lines: Vec<PacksRequest> = serde_json::from_slice(&bytes).map_err(invalid)?;
    Ok(lines
        .into_iter()
        .map(|line| {
            let (product, packs) = line.parse();
            ProblemLine { product, packs }
        })
        .collect())
}

/// Images are stored as they arrive, so that one of them is in memory at a time.
async fn read_form(
    state: &AppState,
    mut form: Multipart,
    body_memory: &Arc<OwnedSemaphorePermit>,
    report: &mut ProblemReport,
) -> Result<(), AppError> {
    while let Some(mut field) = form.next_field().await.map_err(multipart_error)? {
        match field.name() {
            Some("message") => {
                let too_long = || AppError::invalid("message is too long").with_field("message");
                let bytes = read_field(&mut field, MAX_TEXT_BYTES, too_long).await?;
                report.message = text("message", bytes)?;
            }
            Some("lines") => {
                let too_long = || AppError::invalid("lines is too long").with_field("lines");
                report.lines =
                    parse_lines(read_field(&mut field, MAX_TEXT_BYTES, too_long).await?)?;
            }
            Some("images") => {
                if report.images.len() == MAX_PROBLEM_IMAGES {
                    let message = format!("At most {MAX_PROBLEM_IMAGES} photos");
                    return Err(AppError::invalid(message).with_field("images"));
                }
                let too_large = || {
                    let message = "A photo is larger than 20 MB or 50 megapixels";
                    AppError::new(ErrorCode::ImageTooLarge, message).with_field("images")
                };
                let bytes = read_field(&mut field, MAX_UPLOAD_BYTES, too_large).await?;
                // A form without a photo has an empty file.
                if bytes.is_empty() {
                    continue;
                }
                let (shop, body_memory) = (state.shop.clone(), Arc::clone(body_memory));
                let storing = tokio::spawn(async move {
                    let _body_memory = body_memory;
                    shop.store_problem_image(bytes).await
                });
                report
                    .images
                    .push(storing.await.map_err(AppError::internal)??);
            }
            _ => {}
        }
    }
    Ok(())
}

pub async fn report(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
    request: Request,
) -> ApiResult<Created<ProblemResponse>> {
    // Nothing is decoded for an order that is not the customer's or was delivered earlier.
    state.shop.reportable_order(&user, id.clone()).await?;
    let gate = state
        .upload_gate
        .enter(Uploader::Customer, request.headers());
    let body_memory = Arc::new(gate.await?);
    let form = Multipart::from_request(request, &state).await;
    let form = form.map_err(|_| AppError::invalid("The upload could not be read"))?;
    let mut report = ProblemReport {
        message: String::new(),
        lines: Vec::new(),
        images: Vec::new(),
    };
    if let Err(error) = read_form(&state, form, &body_memory, &mut report).await {
        state.shop.delete_problem_images(&report.images).await;
        return Err(error.into());
    }
    let problem = state.shop.report_problem(&user, id, report).await?;
    let problem = ProblemDto::new(problem, Viewer::Customer);
    Ok(Created(ProblemResponse { problem }))
}

/// A photo, for the customer and for admins.
pub async fn image(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path((id, file)): Path<(OrderId, String)>,
) -> ApiResult<Response> {
    let none = || AppError::not_found("There is no such picture");
    let order = state.shop.order_visible_to(&user, id).await?;
    let details = state.shop.order_details(order).await?;
    let belongs = details
        .problems
        .iter()
        .any(|problem| problem.images.contains(&file));
    if !belongs {
        return Err(none().into());
    }
    let request = ImageRequest {
        folder: ImageFolder::Problems,
        file,
        width: None,
        formats: vec![Format::WebP],
    };
    let picture = state
        .shop
        .images
        .get(request)
        .await
        .map_err(AppError::internal)?
        .ok_or_else(none)?;
    let headers = [
        (header::CONTENT_TYPE, picture.content_type),
        (header::CACHE_CONTROL, "private, max-age=300"),
    ];
    Ok((headers, picture.bytes).into_response())
}
