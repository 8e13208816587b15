//! The overview of the shop.

use mirasa_app::reports::overview::{Figures, Funnel, Overview, ProductSales};
use mirasa_domain::ist;
use mirasa_domain::sales::{DayRange, SalesSums};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::types::{Rupees, to_iso8601};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct OverviewQuery {
    /// The first day in India, such as 2026-11-15. 30 days up to `to` if it is empty.
    pub from: String,
    /// The last day in India. Today if it is empty.
    pub to: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverviewResponse {
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
    /// The first of as many days before.
    pub previous_from: String,
    pub previous_to: String,
    /// Today is compared with yesterday up to the same time: this one. Null if whole days are compared.
    #[schema(required)]
    pub compared_until: Option<String>,
    pub current: FiguresDto,
    pub previous: FiguresDto,
    /// Each day, also without orders.
    pub days: Vec<DaySalesDto>,
    pub previous_days: Vec<DaySalesDto>,
    /// At most ten products, the best first.
    pub best_products: Vec<ProductSalesDto>,
    /// At most ten other products that are on sale, the least sold first.
    pub worst_products: Vec<ProductSalesDto>,
    /// A product counts in each of its categories.
    pub categories: Vec<CategorySalesDto>,
    pub states: Vec<StateSalesDto>,
    /// Hours of the week in which orders were placed.
    pub hours: Vec<HourSalesDto>,
    /// Hours of the whole day before, if one day is asked for.
    pub previous_hours: Vec<HourSalesDto>,
    pub funnel: FunnelDto,
}

/// Of orders that were placed on these days, are paid, not cancelled and no replacements.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewFigures)]
#[serde(rename_all = "camelCase")]
pub struct FiguresDto {
    /// Sales less refunds.
    pub net_sales: Rupees,
    /// What was paid, after discounts.
    pub sales: Rupees,
    pub refunds: Rupees,
    pub discounts: Rupees,
    pub orders: i64,
    /// Sales by order.
    pub average_order: Rupees,
    #[serde(rename = "packs50g")]
    pub packs_50g: i64,
    #[serde(rename = "packs100g")]
    pub packs_100g: i64,
    /// Orders of customers who have an earlier one.
    pub repeat_orders: i64,
    /// Their share of all orders, in per cent with one decimal.
    pub repeat_rate: f64,
    /// Orders with a parcel that did not arrive on the expected day.
    pub late_parcels: i64,
    /// Orders with a parcel that comes back.
    pub returned_parcels: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DaySales)]
#[serde(rename_all = "camelCase")]
pub struct DaySalesDto {
    /// `2026-11-15`
    pub day: String,
    pub net_sales: Rupees,
    pub orders: i64,
    pub packs: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ProductSales)]
#[serde(rename_all = "camelCase")]
pub struct ProductSalesDto {
    pub product_id: String,
    pub name: String,
    pub orders: i64,
    #[serde(rename = "packs50g")]
    pub packs_50g: i64,
    #[serde(rename = "packs100g")]
    pub packs_100g: i64,
    /// Before refunds.
    pub sales: Rupees,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CategorySales)]
pub struct CategorySalesDto {
    pub category: String,
    pub packs: i64,
    /// Before refunds.
    pub sales: Rupees,
}

#[derive(Serialize, ToSchema)]
#[schema(as = StateSales)]
#[serde(rename_all = "camelCase")]
pub struct StateSalesDto {
    pub state: String,
    pub orders: i64,
    pub net_sales: Rupees,
}

#[derive(Serialize, ToSchema)]
#[schema(as = HourSales)]
#[serde(rename_all = "camelCase")]
pub struct HourSalesDto {
    /// 1 is Monday.
    #[schema(minimum = 1, maximum = 7)]
    pub weekday: u8,
    #[schema(minimum = 0, maximum = 23)]
    pub hour: u8,
    pub orders: i64,
    pub net_sales: Rupees,
}

/// From the visit to the payment. Visits, products and carts are counts of requests of any visitor.
#[derive(Serialize, ToSchema)]
#[schema(as = Funnel)]
pub struct FunnelDto {
    pub visits: i64,
    pub products: i64,
    pub carts: i64,
    /// Orders that were placed, paid or not.
    pub checkouts: i64,
    pub payments: i64,
}

fn date(day: i64) -> String {
    let (year, month, day) = ist::calendar_date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

impl From<Figures> for FiguresDto {
    fn from(Figures { sums, parcels }: Figures) -> FiguresDto {
        FiguresDto {
            net_sales: Rupees(sums.net_sales()),
            sales: Rupees(sums.sales),
            refunds: Rupees(sums.refunds),
            discounts: Rupees(sums.discounts),
            orders: sums.orders,
            average_order: Rupees(sums.average_order()),
            packs_50g: sums.packs_50g,
            packs_100g: sums.packs_100g,
            repeat_orders: sums.repeat_orders,
            repeat_rate: f64::from(u16::try_from(sums.repeat_permille()).unwrap_or_default())
                / 10.0,
            late_parcels: parcels.late,
            returned_parcels: parcels.returned,
        }
    }
}

impl From<(i64, SalesSums)> for DaySalesDto {
    fn from((day, sums): (i64, SalesSums)) -> DaySalesDto {
        DaySalesDto {
            day: date(day),
            net_sales: Rupees(sums.net_sales()),
            orders: sums.orders,
            packs: sums.packs(),
        }
    }
}

impl From<ProductSales> for ProductSalesDto {
    fn from(
        ProductSales {
            product,
            name,
            sums,
        }: ProductSales,
    ) -> ProductSalesDto {
        ProductSalesDto {
            product_id: product.0,
            name,
            orders: sums.orders,
            packs_50g: sums.packs_50g,
            packs_100g: sums.packs_100g,
            sales: Rupees(sums.sales),
        }
    }
}

impl From<((u8, u8), SalesSums)> for HourSalesDto {
    fn from(((weekday, hour), sums): ((u8, u8), SalesSums)) -> HourSalesDto {
        HourSalesDto {
            weekday,
            hour,
            orders: sums.orders,
            net_sales: Rupees(sums.net_sales()),
        }
    }
}

impl From<Funnel> for FunnelDto {
    fn from(funnel: Funnel) -> FunnelDto {
        FunnelDto {
            visits: funnel.visits,
            products: funnel.products,
            carts: funnel.carts,
            checkouts: funnel.checkouts,
            payments: funnel.payments,
        }
    }
}

fn all<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}

impl From<Overview> for OverviewResponse {
    fn from(overview: Overview) -> OverviewResponse {
        let DayRange { first, last } = overview.days;
        let before = overview.days.previous();
        OverviewResponse {
            from: date(first),
            to: date(last),
            previous_from: date(before.first),
            previous_to: date(before.last),
            compared_until: overview.compared_until_ms.map(to_iso8601),
            current: overview.figures.into(),
            previous: overview.previous.into(),
            days: all(overview.by_day),
            previous_days: all(overview.previous_by_day),
            best_products: all(overview.best),
            worst_products: all(overview.worst),
            categories: overview
                .by_category
                .into_iter()
                .map(|(category, sums)| CategorySalesDto {
                    category,
                    packs: sums.packs(),
                    sales: Rupees(sums.sales),
                })
                .collect(),
            states: overview
                .by_state
                .into_iter()
                .map(|(state, sums)| StateSalesDto {
                    state,
                    orders: sums.orders,
                    net_sales: Rupees(sums.net_sales()),
                })
                .collect(),
            hours: all(overview.by_hour),
            previous_hours: all(overview.previous_by_hour),
            funnel: overview.funnel.into(),
        }
    }
}
