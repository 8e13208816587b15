//! The orders as a CSV file, streamed in chunks, so that the memory use does not depend on the number of orders.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::stream;
use http::header;
use mirasa_app::AppError;
use mirasa_app::catalogue::FORMULA_PREFIXES;
use mirasa_app::orders::OrderDetails;
use mirasa_app::repository::orders::search::{OrderCursor, OrderFilter};
use mirasa_domain::invoice::Invoice;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine};
use mirasa_domain::order_event::OrderEventKind;
use serde::Deserialize;
use time::OffsetDateTime;
use time::macros::offset;
use utoipa::IntoParams;

use crate::api::orders::admin::OrdersQuery;
use crate::api::types::to_iso8601;
use crate::error::ApiResult;
use crate::extract::query::Query;
use crate::state::AppState;

const CHUNK: i64 = 500;
const COLUMNS: [&str; 13] = [
    "Order ID",
    "User ID",
    "Total Amount",
    "Status",
    "Payment",
    "Created At",
    "Items",
    "Delivery Name",
    "Delivery Phone",
    "Delivery Address",
    "Delivery City",
    "Delivery State",
    "Delivery Pincode",
];

/// Beside the columns of every export, what an accountant compares with the overview and the invoices.
const MORE_COLUMNS: [&str; 10] = [
    "Counts As Sale",
    "Discount Code",
    "Discount",
    "Paid At",
    "Refunded",
    "Invoice Number",
    "Credit Notes",
    "Packed At",
    "Delivered At",
    "Replaces Order ID",
];

#[derive(Deserialize, IntoParams)]
pub struct ColumnsQuery {
    /// Empty, or all: with discount, refunds, time of payment and invoice.
    #[param(pattern = "^(all)?$")]
    #[serde(default)]
    columns: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Columns {
    Usual,
    All,
}

pub async fn csv(
    State(state): State<AppState>,
    Query(query): Query<OrdersQuery>,
    Query(columns): Query<ColumnsQuery>,
) -> ApiResult<Response> {
    let (columns, name) = match columns.columns.as_str() {
        "" => (Columns::Usual, "orders"),
        "all" => (Columns::All, "orders_all_columns"),
        _ => {
            let error = AppError::invalid("columns must be all, or empty");
            return Err(error.with_field("columns").into());
        }
    };
    let filter = query.filter(state.shop.overdue_before_ms())?;
    let today = OffsetDateTime::from_unix_timestamp(state.shop.now_ms() / 1000)
        .map(|now| now.to_offset(offset!(+5:30)).date());
    let today = today.map(|day| day.to_string()).unwrap_or_default();
    let rows = stream::unfold(
        Next::Head(Export {
            state,
            filter,
            columns,
        }),
        next_chunk,
    );
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}_{today}.csv\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, Body::from_stream(rows)).into_response())
}

/// The next part of the file.
enum Next {
    Head(Export),
    /// The orders after this cursor, or the first ones.
    Rows(Export, Option<OrderCursor>),
    End,
}

struct Export {
    state: AppState,
    filter: OrderFilter,
    columns: Columns,
}

impl Export {
    fn head(&self) -> String {
        let more = match self.columns {
            Columns::Usual => &[][..],
            Columns::All => &MORE_COLUMNS[..],
        };
        let names: Vec<_> = COLUMNS.iter().chain(more).copied().collect();
        format!("\u{feff}{}\r\n", names.join(","))
    }

    /// The rows after the cursor, and the next one. None at the end.
    async fn rows(
        &self,
        cursor: Option<OrderCursor>,
    ) -> Result<Option<(String, OrderCursor)>, AppError> {
        let shop = &self.state.shop;
        let orders = shop.orders_after(self.filter.clone(), cursor, CHUNK);
        let orders = orders.await?;
        let Some(last) = orders.last().map(OrderCursor::from) else {
            return Ok(None);
        };
        let rows = match self.columns {
            Columns::Usual => orders.iter().map(|order| row(&cells(order))).collect(),
            Columns::All => {
                let details = shop.with_details(orders).await?;
                let all = |one: &OrderDetails| [cells(&one.order), more_cells(one)].concat();
                details.iter().map(|one| row(&all(one))).collect()
            }
        };
        Ok(Some((rows, last)))
    }
}

/// First the header row with the byte order mark, then the chunks. Each chunk starts after the last order of the
/// previous one, so that orders that are placed or deleted meanwhile do not shift it. An error aborts the transfer, so
/// that the client does not take an incomplete file for a complete one.
async fn next_chunk(next: Next) -> Option<(Result<String, std::io::Error>, Next)> {
    match next {
        Next::Head(export) => Some((Ok(export.head()), Next::Rows(export, None))),
        Next::Rows(export, cursor) => match export.rows(cursor).await {
            Ok(found) => {
                let (rows, last) = found?;
                Some((Ok(rows), Next::Rows(export, Some(last))))
            }
            Err(error) => Some((Err(std::io::Error::other(error)), Next::End)),
        },
        Next::End => None,
    }
}

fn row(cells: &[String]) -> String {
    let cells: Vec<_> = cells.iter().map(|text| escape_cell(text)).collect();
    format!("{}\r\n", cells.join(","))
}

fn rupees(amount: Paise) -> String {
    format!("{}.{:02}", amount.get() / 100, amount.get() % 100)
}

fn cells(order: &Order) -> Vec<String> {
    let items: Vec<_> = order.lines.iter().flat_map(items).collect();
    let address = &order.address;
    vec![
        order.id.0.clone(),
        order.user.0.clone(),
        rupees(order.state.total),
        order.state.order_status.as_str().to_owned(),
        order.state.payment_status.as_str().to_owned(),
        to_iso8601(order.created_at_ms),
        items.join("; "),
        address.name.clone(),
        address.phone.clone(),
        format!("{} {}", address.line1, address.line2)
            .trim()
            .to_owned(),
        address.city.clone(),
        address.state.clone(),
        address.pincode.clone(),
    ]
}

fn more_cells(details: &OrderDetails) -> Vec<String> {
    let order = &details.order;
    let discount = order.discount.as_ref();
    let time = |at_ms: Option<i64>| at_ms.map_or_else(String::new, to_iso8601);
    let paid = details
        .events
        .iter()
        .find(|event| event.kind == OrderEventKind::Paid);
    let (invoices, notes): (Vec<_>, Vec<_>) = details
        .invoices
        .iter()
        .partition(|invoice| invoice.refers_to.is_none());
    let numbers = |invoices: &[&Invoice]| {
        let numbers: Vec<_> = invoices.iter().map(|one| one.number.as_str()).collect();
        numbers.join("; ")
    };
    vec![
        if details.is_sale() { "yes" } else { "no" }.to_owned(),
        discount.map_or_else(String::new, |discount| discount.code.clone()),
        rupees(discount.map_or(Paise::ZERO, |discount| discount.amount)),
        time(paid.map(|event| event.at_ms)),
        rupees(details.refunded()),
        numbers(&invoices),
        numbers(&notes),
        time(order.packed_at_ms),
        time(order.delivered_at_ms),
        order
            .replaces_order_id
            .as_ref()
            .map_or_else(String::new, |id| id.0.clone()),
    ]
}

/// Each pack size has its own price, so that the items add up to the total.
fn items(line: &OrderLine) -> impl Iterator<Item = String> {
    line.items().map(|item| {
        let name = line.item_name(item.size);
        format!("{name} x{} @{}", item.quantity, item.price)
    })
}

/// Quotes the text. A text that a spreadsheet would run as a formula gets an apostrophe in front.
pub(crate) fn escape_cell(text: &str) -> String {
    let escaped = if text.starts_with(FORMULA_PREFIXES) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if escaped.contains(['"', ',', '\n', '\r', ';']) {
        format!("\"{}\"", escaped.replace('"', "\"\""))
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_escaped() {
        assert_eq!(escape_cell("Asha"), "Asha");
        assert_eq!(escape_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(escape_cell("=1+1"), "'=1+1");
        assert_eq!(escape_cell("+919876543210"), "'+919876543210");
        assert_eq!(escape_cell("@SUM(A1)"), "'@SUM(A1)");
    }
}
