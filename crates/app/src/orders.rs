//! Looking at orders: a shopper's own, and an admin's view of all.

use mirasa_domain::user::{Role, UserId};

use crate::checkout::no_such_order;
use crate::ports::orders::{Concern, Order, OrderFilter, OrderPlace};
use crate::ports::storage::User;
use crate::{AppError, Shop};

impl Shop {
    pub async fn orders_of(&self, user: &UserId) -> Result<Vec<Order>, AppError> {
        let user = user.clone();
        self.db
            .read(move |reads| Box::pin(async move { Ok(reads.orders_of(&user).await?) }))
            .await
    }

    /// To anybody but its owner and the admins an order does not exist.
    pub async fn order_seen_by(&self, user: &User, id: String) -> Result<Order, AppError> {
        let user = user.clone();
        self.db
            .glance(move |reads| {
                Box::pin(async move {
                    let order = reads.order(&id).await?;
                    order
                        .filter(|order| may_see(&user, order))
                        .ok_or_else(no_such_order)
                })
            })
            .await
    }

    pub async fn find_orders(
        &self,
        filter: OrderFilter,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<Order>, i64), AppError> {
        let now_ms = self.now_ms();
        let (counts, known) = (
            self.order_counts.clone(),
            self.order_counts.known(&filter, now_ms),
        );
        self.db
            .read(move |reads| {
                Box::pin(async move {
                    let total = match known {
                        Some(known) => known,
                        None => reads.count_orders(&filter).await?,
                    };
                    if known.is_none() {
                        counts.keep(&filter, total, now_ms);
                    }
                    let page = reads.page_of_orders(&filter, total, offset, limit).await?;
                    Ok((page, total))
                })
            })
            .await
    }

    pub async fn orders_behind(
        &self,
        filter: OrderFilter,
        behind: Option<OrderPlace>,
        limit: i64,
    ) -> Result<Vec<Order>, AppError> {
        self.db
            .read(move |reads| {
                Box::pin(
                    async move { Ok(reads.orders_behind(&filter, behind.as_ref(), limit).await?) },
                )
            })
            .await
    }

    pub async fn open_concerns(&self) -> Result<Vec<Concern>, AppError> {
        self.db
            .read(move |reads| Box::pin(async move { Ok(reads.open_concerns().await?) }))
            .await
    }

    pub async fn settle_concern(&self, id: String) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    if writes.settle_concern(&id, now_ms).await? {
                        Ok(())
                    } else {
                        Err(AppError::not_found("There is no such concern"))
                    }
                })
            })
            .await
    }
}

pub(crate) fn may_see(user: &User, order: &Order) -> bool {
    order.user == user.id || user.role == Role::Admin
}
