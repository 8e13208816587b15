//! Packing, the invoices of a month, and the tables of the tax return.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::header;
use mirasa_app::AppError;
use mirasa_app::invoices::tax_reports::{Gstr1Table, Month, Rows, net_amounts};
use mirasa_app::orders::LeavingConfirmation;
use mirasa_domain::order::OrderId;

use crate::api::invoices::files::pdf;
use crate::api::invoices::types::{InvoiceDto, InvoicesResponse, MonthQuery};
use crate::api::orders::csv::escape_cell;
use crate::api::orders::handlers::list_details;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::packing_types::{NotPackedDto, PackRequest, PackedResponse, PackingQuery};
use crate::api::types::Rupees;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

impl MonthQuery {
    fn parse(&self) -> Result<Month, AppError> {
        Month::parse(&self.month)
            .ok_or_else(|| AppError::invalid("month must be like 2026-11").with_field("month"))
    }
}

pub async fn pack(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Json(body): Json<PackRequest>,
) -> ApiResult<Json<PackedResponse>> {
    let confirmed = LeavingConfirmation {
        even_if_refunded: body.even_if_refunded,
        ..LeavingConfirmation::default()
    };
    let seen = body
        .seen
        .into_iter()
        .map(|one| (OrderId(one.id), one.version));
    let seen = seen.collect();
    let ids = body.orders.into_iter().map(OrderId).collect();
    let result = state.shop.pack_orders(&admin, ids, seen, confirmed).await?;
    let orders = list_details(&state, result.packed, Viewer::Admin).await?;
    let not_packed = result.not_packed.into_iter().map(NotPackedDto::from);
    Ok(Json(PackedResponse {
        orders,
        not_packed: not_packed.collect(),
    }))
}

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<MonthQuery>,
) -> ApiResult<Json<InvoicesResponse>> {
    let invoices = state.shop.invoices_of_month(query.parse()?).await?;
    let net = net_amounts(&invoices);
    Ok(Json(InvoicesResponse {
        invoices: invoices.into_iter().map(InvoiceDto::from).collect(),
        taxable: Rupees(net.taxable),
        cgst: Rupees(net.cgst),
        sgst: Rupees(net.sgst),
        igst: Rupees(net.igst),
        total: Rupees(net.total()),
    }))
}

pub async fn packing(
    State(state): State<AppState>,
    Query(query): Query<PackingQuery>,
) -> ApiResult<Response> {
    Ok(pdf(state.shop.packing_pdf(query.ids()).await?))
}

/// `7.csv`, `12.csv` or `13.csv`.
pub async fn gstr1(
    State(state): State<AppState>,
    Path(file): Path<String>,
    Query(query): Query<MonthQuery>,
) -> ApiResult<Response> {
    let table = file.strip_suffix(".csv").and_then(Gstr1Table::parse);
    let table = table.ok_or_else(|| AppError::not_found("There is no such table"))?;
    let rows = state.shop.gstr1(table, query.parse()?).await?;
    Ok(csv(&rows, &format!("gstr1_{}_{file}", query.month)))
}

/// One row for each line of each invoice.
pub async fn export(
    State(state): State<AppState>,
    Query(query): Query<MonthQuery>,
) -> ApiResult<Response> {
    let mut rows = state.shop.invoice_rows(query.parse()?).await?;
    // The byte order mark tells spreadsheets that the names are in UTF-8.
    if let Some(first) = rows.first_mut().and_then(|row| row.first_mut()) {
        first.insert(0, '\u{feff}');
    }
    Ok(csv(&rows, &format!("invoices_{}.csv", query.month)))
}

fn csv(rows: &Rows, name: &str) -> Response {
    let line = |cells: &Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| escape_text(cell)).collect();
        format!("{}\r\n", cells.join(","))
    };
    let text: String = rows.iter().map(line).collect();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, text).into_response()
}

/// A negative amount is a number, not a formula.
fn escape_text(cell: &str) -> String {
    if cell.parse::<f64>().is_ok() {
        cell.to_owned()
    } else {
        escape_cell(cell)
    }
}
