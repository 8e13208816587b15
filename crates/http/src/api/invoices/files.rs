//! Invoices and credit notes of an order as PDF files, for its customer and for admins.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::header;
use mirasa_app::AppError;
use mirasa_app::invoices::{InvoiceChoice, PdfFile};
use mirasa_domain::order::OrderId;

use crate::error::ApiResult;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn invoice(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Response> {
    let choice = InvoiceChoice::Invoice;
    Ok(pdf(state.shop.invoice_pdf(&user, id, choice).await?))
}

/// The file is the credit note's id with `.pdf`.
pub async fn credit_note(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path((id, file)): Path<(OrderId, String)>,
) -> ApiResult<Response> {
    let note = file.strip_suffix(".pdf");
    let note = note.ok_or_else(|| AppError::not_found("There is no such credit note"))?;
    let choice = InvoiceChoice::CreditNote(note.into());
    Ok(pdf(state.shop.invoice_pdf(&user, id, choice).await?))
}

pub fn pdf(file: PdfFile) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("inline; filename=\"{}\"", file.name),
        ),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    (headers, file.bytes).into_response()
}
