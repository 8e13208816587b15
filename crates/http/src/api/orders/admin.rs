//! Orders, and the issues that need a manual review.

use std::ops::RangeInclusive;

use axum::extract::{Path, State};
use http::HeaderMap;
use mirasa_app::AppError;
use mirasa_app::orders::SeenOrder;
use mirasa_app::repository::orders::search::{OnlyOrders, OrderFilter, OrderWork, SalesFilter};
use mirasa_domain::issue::IssueId;
use mirasa_domain::order::{OrderId, OrderStatus};
use mirasa_domain::refund::RefundId;
use serde::Deserialize;
use time::macros::{format_description, offset, time};
use time::{Date, OffsetDateTime, Time};
use utoipa::IntoParams;

use crate::api::orders::cancellation_types::CancellationDecisionRequest;
use crate::api::orders::handlers::{details, idempotency_key, list_details};
use crate::api::orders::history_types::{RefundDto, RefundRequest, RefundResponse, Viewer};
use crate::api::orders::issue_types::{OrderIssueDto, OrderIssuesResponse, ResolveIssueRequest};
use crate::api::orders::request_types::{DeleteOrderQuery, OrderStatusRequest};
use crate::api::orders::types::{OrderPageResponse, OrderResponse};
use crate::api::payments::reservation_types::{ReservationDto, ReservedStockResponse};
use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct OrdersQuery {
    /// An order's status; all if it is empty.
    #[param(pattern = "^(All|all|pending|confirmed|shipped|delivered|cancelled|N/A)?$")]
    pub status: String,
    /// Part of an order's id.
    pub order_id: String,
    /// Part of a user's id.
    pub user_id: String,
    /// From this day (2026-11-15, in India) or moment on, itself included.
    pub from: String,
    /// Up to this day or moment, itself included.
    pub to: String,
    /// Deleted orders instead of the others.
    pub deleted: bool,
    /// Only orders to pack, to ship, without a decision (pending or N/A), that should have been shipped, whose customers
    /// ask to cancel them, or whose customers reported a problem that is not decided.
    #[param(pattern = "^(pack|ship|confirm|overdue|cancellation|problem)?$")]
    pub todo: String,
    /// The orders behind a figure of the overview.
    #[param(pattern = "^(sales|refunded|discounted|repeat|late|returned)?$")]
    pub only: String,
    /// Orders of this product.
    pub product_id: String,
    /// Orders with products of this category.
    pub category: String,
    /// Orders to this state.
    pub state: String,
    /// Orders of this weekday in India; 1 is Monday.
    #[param(pattern = "^[1-7]?$")]
    pub weekday: String,
    /// Orders of this hour in India, 0 to 23.
    #[param(pattern = "^([0-9]|1[0-9]|2[0-3])?$")]
    pub hour: String,
}

impl OrdersQuery {
    pub fn filter(&self, overdue_before_ms: i64) -> Result<OrderFilter, AppError> {
        let status = match self.status.as_str() {
            "" | "All" | "all" => None,
            other => Some(OrderStatus::parse(other).ok_or_else(|| {
                AppError::invalid("status is not an order's status").with_field("status")
            })?),
        };
        let work = match self.todo.as_str() {
            "" => None,
            "pack" => Some(OrderWork::Pack),
            "ship" => Some(OrderWork::Ship),
            "confirm" => Some(OrderWork::Confirm),
            "cancellation" => Some(OrderWork::Cancellation),
            "problem" => Some(OrderWork::Problem),
            "overdue" => Some(OrderWork::Overdue {
                before_ms: overdue_before_ms,
            }),
            _ => {
                let message = "todo must be pack, ship, confirm, overdue, cancellation or problem";
                return Err(AppError::invalid(message).with_field("todo"));
            }
        };
        let only = match self.only.as_str() {
            "" => None,
            other => Some(OnlyOrders::parse(other).ok_or_else(|| {
                AppError::invalid("only is not a kind of orders").with_field("only")
            })?),
        };
        Ok(OrderFilter {
            work,
            status,
            order_id: self.order_id.trim().to_owned(),
            user_id: self.user_id.trim().to_owned(),
            from_ms: parse_timestamp("from", &self.from, time!(0:00))?,
            to_ms: parse_timestamp("to", &self.to, time!(23:59:59.999))?,
            deleted: self.deleted,
            sales: SalesFilter {
                only,
                product_id: self.product_id.trim().to_owned(),
                category: self.category.trim().to_owned(),
                state: self.state.trim().to_owned(),
                weekday: parse_number("weekday", &self.weekday, 1..=7)?,
                hour: parse_number("hour", &self.hour, 0..=23)?,
                ..SalesFilter::default()
            },
        })
    }
}

fn parse_number(
    field: &'static str,
    text: &str,
    allowed: RangeInclusive<u8>,
) -> Result<Option<u8>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.parse().ok().filter(|number| allowed.contains(number));
    number.map(Some).ok_or_else(|| {
        let (first, last) = (allowed.start(), allowed.end());
        AppError::invalid(format!("{field} must be a number from {first} to {last}"))
            .with_field(field)
    })
}

fn parse_timestamp(
    field: &'static str,
    text: &str,
    time_of_day: Time,
) -> Result<Option<i64>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    let day = Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map(|day| day.with_time(time_of_day).assume_offset(offset!(+5:30)));
    let at = day
        .or_else(|_| OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339));
    let at = at.map_err(|_| {
        AppError::invalid(format!("{field} must be a date such as 2026-11-15")).with_field(field)
    })?;
    Ok(i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok())
}

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<OrdersQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<OrderPageResponse>> {
    let page = part.page()?;
    let (orders, total) = state
        .shop
        .search_orders(
            query.filter(state.shop.overdue_before_ms())?,
            page.skip(),
            page.limit,
        )
        .await?;
    let pages = ((total + page.limit - 1) / page.limit).max(1);
    Ok(Json(OrderPageResponse {
        orders: list_details(&state, orders, Viewer::Admin).await?,
        total,
        page: page.number,
        pages,
    }))
}

pub async fn set_status(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    Json(body): Json<OrderStatusRequest>,
) -> ApiResult<Json<OrderResponse>> {
    let options = body.options();
    let order = state
        .shop
        .set_order_status(&who, id, body.order_status.0, options)
        .await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn decide_cancellation(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    Json(body): Json<CancellationDecisionRequest>,
) -> ApiResult<Json<OrderResponse>> {
    let answer = body.answer();
    let order = state
        .shop
        .decide_cancellation(&who, id, answer, body.message)
        .await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn delete(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    Query(query): Query<DeleteOrderQuery>,
) -> ApiResult<Json<SuccessResponse>> {
    let seen = SeenOrder {
        version: query.version,
        status: None,
    };
    let shop = &state.shop;
    shop.delete_order(&who, id, seen, query.keep_reason).await?;
    Ok(Json(SuccessResponse { success: true }))
}

pub async fn reserved_stock(
    State(state): State<AppState>,
) -> ApiResult<Json<ReservedStockResponse>> {
    let (found, more) = state.shop.reservations().await?;
    let orders = found.into_iter().map(ReservationDto::from).collect();
    Ok(Json(ReservedStockResponse { orders, more }))
}

pub async fn release(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state.shop.release_order(&who, id).await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn restore(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state.shop.restore_order(&who, id).await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn refund(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    headers: HeaderMap,
    Json(body): Json<RefundRequest>,
) -> ApiResult<Json<RefundResponse>> {
    let input = body.parse(idempotency_key(&headers)?)?;
    let refund = state.shop.refund_order(&who, id, input).await?;
    let refund = RefundDto::new(refund, Viewer::Admin);
    Ok(Json(RefundResponse { refund }))
}

pub async fn retry_refund(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<RefundId>,
) -> ApiResult<Json<RefundResponse>> {
    let refund = state.shop.retry_refund(&who, id).await?;
    let refund = RefundDto::new(refund, Viewer::Admin);
    Ok(Json(RefundResponse { refund }))
}

pub async fn issues(State(state): State<AppState>) -> ApiResult<Json<OrderIssuesResponse>> {
    let issues = state
        .shop
        .open_issues()
        .await?
        .into_iter()
        .map(OrderIssueDto::from)
        .collect();
    Ok(Json(OrderIssuesResponse { concerns: issues }))
}

pub async fn resolve_issue(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<IssueId>,
    body: Option<Json<ResolveIssueRequest>>,
) -> ApiResult<Json<SuccessResponse>> {
    let reason = body.map(|Json(body)| body.reason).unwrap_or_default();
    state.shop.resolve_issue(&who, id, reason).await?;
    Ok(Json(SuccessResponse { success: true }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_filter_covers_the_whole_day_in_india() {
        let query = OrdersQuery {
            from: "2026-11-15".into(),
            to: "2026-11-15".into(),
            ..OrdersQuery::default()
        };
        let filter = query.filter(0).unwrap();
        assert_eq!(filter.from_ms, Some(1_794_681_000_000));
        assert_eq!(filter.to_ms, Some(1_794_681_000_000 + 86_400_000 - 1));
        assert!(
            OrdersQuery {
                from: "yesterday".into(),
                ..OrdersQuery::default()
            }
            .filter(0)
            .is_err()
        );
        assert!(
            OrdersQuery {
                status: "lost".into(),
                ..OrdersQuery::default()
            }
            .filter(0)
            .is_err()
        );
    }
}
