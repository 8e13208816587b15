//! Managing orders, and what about money needs a person.

use axum::extract::{Path, Query, State};
use mirasa_app::AppError;
use mirasa_app::ports::orders::OrderFilter;
use mirasa_domain::order::OrderStatus;
use serde::Deserialize;
use time::macros::{format_description, offset, time};
use time::{Date, OffsetDateTime, Time};
use utoipa::IntoParams;

use crate::access::Me;
use crate::admin::page::PageQuery;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::Done;
use crate::wire::order::{
    ConcernWire, ConcernsAnswer, OrderAnswer, OrderPageAnswer, OrderStatusBody, OrderWire,
};
use crate::wire::reservation::{ReservationWire, ReservedStockAnswer};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct OrdersQuery {
    /// An order's status; all where it is empty.
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
}

impl OrdersQuery {
    pub fn filter(&self) -> Result<OrderFilter, AppError> {
        let status = match self.status.as_str() {
            "" | "All" | "all" => None,
            other => Some(
                OrderStatus::parse(other)
                    .ok_or_else(|| AppError::invalid("status is not an order's status"))?,
            ),
        };
        Ok(OrderFilter {
            status,
            order_id: self.order_id.trim().to_owned(),
            user_id: self.user_id.trim().to_owned(),
            from_ms: moment("from", &self.from, time!(0:00))?,
            to_ms: moment("to", &self.to, time!(23:59:59.999))?,
        })
    }
}

fn moment(field: &str, text: &str, time_of_day: Time) -> Result<Option<i64>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    let day = Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map(|day| day.with_time(time_of_day).assume_offset(offset!(+5:30)));
    let at = day
        .or_else(|_| OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339));
    let at =
        at.map_err(|_| AppError::invalid(format!("{field} must be a date such as 2026-11-15")))?;
    Ok(i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok())
}

pub async fn list(
    State(site): State<Site>,
    Query(query): Query<OrdersQuery>,
    Query(part): Query<PageQuery>,
) -> Answer<Json<OrderPageAnswer>> {
    let page = part.page()?;
    let (orders, total) = site
        .shop
        .search_orders(query.filter()?, page.skip(), page.limit)
        .await?;
    let pages = ((total + page.limit - 1) / page.limit).max(1);
    Ok(Json(OrderPageAnswer {
        orders: orders.into_iter().map(OrderWire::from).collect(),
        total,
        page: page.number,
        pages,
    }))
}

pub async fn set_status(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
    Json(body): Json<OrderStatusBody>,
) -> Answer<Json<OrderAnswer>> {
    let order = site
        .shop
        .set_order_status(&who, id, body.order_status.into())
        .await?;
    Ok(Json(OrderAnswer {
        order: order.into(),
    }))
}

pub async fn delete(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
) -> Answer<Json<Done>> {
    site.shop.delete_order(&who, id).await?;
    Ok(Json(Done { success: true }))
}

pub async fn reserved_stock(State(site): State<Site>) -> Answer<Json<ReservedStockAnswer>> {
    let (found, more) = site.shop.reservations().await?;
    let orders = found.into_iter().map(ReservationWire::from).collect();
    Ok(Json(ReservedStockAnswer { orders, more }))
}

pub async fn release(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
) -> Answer<Json<OrderAnswer>> {
    let order = site.shop.release_order(&who, id).await?;
    Ok(Json(OrderAnswer {
        order: order.into(),
    }))
}

pub async fn concerns(State(site): State<Site>) -> Answer<Json<ConcernsAnswer>> {
    let concerns = site
        .shop
        .open_issues()
        .await?
        .into_iter()
        .map(ConcernWire::from)
        .collect();
    Ok(Json(ConcernsAnswer { concerns }))
}

pub async fn resolve_issue(State(site): State<Site>, Path(id): Path<String>) -> Answer<Json<Done>> {
    site.shop.resolve_issue(id).await?;
    Ok(Json(Done { success: true }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_day_in_india_from_its_first_moment_to_its_last() {
        let query = OrdersQuery {
            from: "2026-11-15".into(),
            to: "2026-11-15".into(),
            ..OrdersQuery::default()
        };
        let filter = query.filter().unwrap();
        assert_eq!(filter.from_ms, Some(1_794_681_000_000));
        assert_eq!(filter.to_ms, Some(1_794_681_000_000 + 86_400_000 - 1));
        assert!(
            OrdersQuery {
                from: "yesterday".into(),
                ..OrdersQuery::default()
            }
            .filter()
            .is_err()
        );
        assert!(
            OrdersQuery {
                status: "lost".into(),
                ..OrdersQuery::default()
            }
            .filter()
            .is_err()
        );
    }
}
