//! The orders as a CSV file, streamed in chunks, so that the memory use does not depend on the number of orders.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::stream;
use http::header;
use mirasa_app::admin::FORMULA_PREFIXES;
use mirasa_app::repository::order_search::{OrderCursor, OrderFilter};
use mirasa_domain::order::{Order, OrderLine};
use time::OffsetDateTime;
use time::macros::offset;

use crate::admin::orders::OrdersQuery;
use crate::dto::to_iso8601;
use crate::error::ApiResult;
use crate::query::Query;
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

pub async fn csv(
    State(state): State<AppState>,
    Query(query): Query<OrdersQuery>,
) -> ApiResult<Response> {
    let filter = query.filter(state.shop.overdue_before_ms())?;
    let today = OffsetDateTime::from_unix_timestamp(state.shop.now_ms() / 1000)
        .map(|now| now.to_offset(offset!(+5:30)).date());
    let today = today.map(|day| day.to_string()).unwrap_or_default();
    let rows = stream::unfold(Next::Head(state, filter), next_chunk);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"orders_{today}.csv\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, Body::from_stream(rows)).into_response())
}

/// The next part of the file.
enum Next {
    Head(AppState, OrderFilter),
    /// The orders after this cursor, or the first ones.
    Rows(AppState, OrderFilter, Option<OrderCursor>),
    End,
}

/// First the header row with the byte order mark, then the chunks. Each chunk starts after the last order of the
/// previous one, so that orders that are placed or deleted meanwhile do not shift it. An error aborts the transfer, so
/// that the client does not take an incomplete file for a complete one.
async fn next_chunk(next: Next) -> Option<(Result<String, std::io::Error>, Next)> {
    match next {
        Next::Head(state, filter) => Some((
            Ok(format!("\u{feff}{}\r\n", COLUMNS.join(","))),
            Next::Rows(state, filter, None),
        )),
        Next::Rows(state, filter, cursor) => {
            let found = state.shop.orders_after(filter.clone(), cursor, CHUNK);
            match found.await {
                Ok(orders) => {
                    let last = OrderCursor::from(orders.last()?);
                    let rows = orders.iter().map(row).collect();
                    Some((Ok(rows), Next::Rows(state, filter, Some(last))))
                }
                Err(error) => Some((Err(std::io::Error::other(error)), Next::End)),
            }
        }
        Next::End => None,
    }
}

fn row(order: &Order) -> String {
    let items: Vec<_> = order.lines.iter().flat_map(items).collect();
    let address = &order.address;
    let total = order.state.total.get();
    let cells = [
        order.id.clone(),
        order.user.0.clone(),
        format!("{}.{:02}", total / 100, total % 100),
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
    ];
    let cells: Vec<_> = cells.iter().map(|text| escape_cell(text)).collect();
    format!("{}\r\n", cells.join(","))
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
