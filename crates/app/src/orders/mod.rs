//! Reading orders: a customer's own, and all orders for admins.

use mirasa_domain::ist;
pub use mirasa_domain::leaving::LeavingConfirmation;
use mirasa_domain::order::{Order, OrderId};
pub use mirasa_domain::order_changes::SeenOrder;
pub use mirasa_domain::status_change::StatusOptions;
use mirasa_domain::user::{Role, User, UserId};

mod buy_again;
mod cancel;
mod cancellation_requests;
pub mod counts;
mod delete;
mod history;
mod issues;
mod leaving;
pub(crate) mod lock;
pub(crate) mod packing;
mod problems;
mod seen;
mod staff_page;
mod status;

pub use crate::orders::buy_again::{BuyAgainDifference, ChangedItem};
pub use crate::orders::cancellation_requests::CancellationAnswer;
pub(crate) use crate::orders::cancellation_requests::ensure_none_is_open;
pub use crate::orders::history::OrderDetails;
pub use crate::orders::packing::PackedOrders;
pub(crate) use crate::orders::problems::repeated::{check_not_replaced, replaced_before};
pub use crate::orders::problems::{
    ProblemDecision, ProblemPage, ProblemReport, ProblemResolution, ProblemToDecide,
};
pub use crate::orders::staff_page::StaffOrder;
use crate::repository::orders::search::{OrderCursor, OrderFilter};
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// Adds new ids to the search index. Returns whether there are more.
    pub async fn index_new_ids(&self) -> Result<bool, AppError> {
        self.db
            .write(async move |tx| Ok(tx.index_new_ids().await?))
            .await
    }

    pub async fn orders_of(&self, user: &UserId) -> Result<Vec<Order>, AppError> {
        let user = user.clone();
        self.db
            .read(async move |db| Ok(db.orders_of(&user).await?))
            .await
    }

    /// An order can be seen by its customer and by admins. For other users it does not exist.
    pub async fn order_visible_to(&self, user: &User, id: OrderId) -> Result<Order, AppError> {
        let user = user.clone();
        self.db
            .point_read(async move |db| {
                let order = db.order(&id).await?;
                order
                    .filter(|order| can_view(&user, order))
                    .ok_or_else(order_not_found)
            })
            .await
    }

    pub async fn search_orders(
        &self,
        filter: OrderFilter,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<Order>, i64), AppError> {
        let now_ms = self.now_ms();
        let filter = self.with_sales_details(filter);
        let (counts, known) = (
            self.order_counts.clone(),
            self.order_counts.get(&filter, now_ms),
        );
        self.db
            .replica_read(async move |db| {
                let total = match known {
                    Some(known) => known,
                    None => db.count_orders(&filter).await?,
                };
                if known.is_none() {
                    counts.insert(&filter, total, now_ms);
                }
                let page = db.orders_page(&filter, total, offset, limit).await?;
                Ok((page, total))
            })
            .await
    }

    pub async fn orders_after(
        &self,
        filter: OrderFilter,
        cursor: Option<OrderCursor>,
        limit: i64,
    ) -> Result<Vec<Order>, AppError> {
        let filter = self.with_sales_details(filter);
        self.db
            .replica_read(async move |db| {
                Ok(db.orders_after(&filter, cursor.as_ref(), limit).await?)
            })
            .await
    }

    /// What a filter by category or by late parcels depends on.
    fn with_sales_details(&self, mut filter: OrderFilter) -> OrderFilter {
        filter.sales.today = ist::day(self.now_ms());
        if !filter.sales.category.is_empty() {
            let snapshot = self.catalogue.snapshot();
            let of_category = snapshot.all().iter().filter(|product| {
                product
                    .details
                    .category
                    .iter()
                    .any(|category| category.eq_ignore_ascii_case(&filter.sales.category))
            });
            filter.sales.category_products =
                of_category.map(|product| product.id.0.clone()).collect();
        }
        filter
    }
}

pub(crate) fn order_not_found() -> AppError {
    AppError::new(ErrorCode::OrderNotFound, "Order not found.")
}

pub(crate) fn can_view(user: &User, order: &Order) -> bool {
    order.user == user.id || user.role == Role::Admin
}
