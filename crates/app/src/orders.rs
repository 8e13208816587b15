//! Reading orders: a customer's own, and all orders for admins. Order issues.

use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::ist;
use mirasa_domain::order::Order;
use mirasa_domain::user::{Role, User, UserId};

mod buy_again;
mod cancel;
mod cancellation_requests;
mod history;
mod leaving;
pub(crate) mod packing;
mod problems;
mod refunds;
mod repeated_problems;
mod restocking;
mod seen;

pub use self::buy_again::{BuyAgainDifference, ChangedItem};
pub use self::cancellation_requests::CancellationAnswer;
pub(crate) use self::cancellation_requests::ensure_none_is_open;
pub use self::history::OrderDetails;
pub use self::leaving::LeavingConfirmation;
pub use self::packing::PackedOrders;
pub use self::problems::{
    ProblemDecision, ProblemPage, ProblemReport, ProblemResolution, ProblemToDecide,
};
pub(crate) use self::refunds::describe;
pub use self::refunds::{RefundInput, ReturnedPayment};
pub(crate) use self::restocking::check_restock;
pub use self::seen::SeenOrder;
use crate::repository::order_search::{OrderCursor, OrderFilter};
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
    pub async fn order_visible_to(&self, user: &User, id: String) -> Result<Order, AppError> {
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

    pub async fn open_issues(&self) -> Result<Vec<OrderIssue>, AppError> {
        self.db
            .read(async move |db| Ok(db.open_issues().await?))
            .await
    }

    /// An admin settles an issue. Money that is kept needs a reason.
    pub async fn resolve_issue(
        &self,
        admin: &User,
        id: String,
        reason: String,
    ) -> Result<(), AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let find_issue = || AppError::not_found("There is no such issue");
                let issue = tx.open_issue_by_id(&id).await?.ok_or_else(find_issue)?;
                if issue.kind == IssueKind::PaymentKept {
                    tx.lock_order(&issue.order_id).await?;
                    // Read again: a refund may have resolved it before the lock.
                    let issue = tx.open_issue_by_id(&id).await?.ok_or_else(find_issue)?;
                    return shop.confirm_kept_payment(tx, &admin, &issue, &reason).await;
                }
                match tx.resolve_issue(&id, reason.trim(), now_ms).await? {
                    true => Ok(()),
                    false => Err(find_issue()),
                }
            })
            .await
    }
}

pub(crate) fn order_not_found() -> AppError {
    AppError::new(ErrorCode::OrderNotFound, "Order not found.")
}

pub(crate) fn can_view(user: &User, order: &Order) -> bool {
    order.user == user.id || user.role == Role::Admin
}
