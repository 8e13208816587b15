//! Locking orders. Everything that changes an order locks its customer first, then the order, as settlement does.

use std::collections::HashMap;

use mirasa_domain::order::{Order, OrderId};

use crate::orders::order_not_found;
use crate::repository::Transaction;
use crate::{AppError, Shop};

pub(crate) async fn read_order(tx: &mut dyn Transaction, id: &OrderId) -> Result<Order, AppError> {
    tx.order(id).await?.ok_or_else(order_not_found)
}

/// In the order of `ids`.
pub(crate) async fn read_orders(
    tx: &mut dyn Transaction,
    ids: &[OrderId],
) -> Result<Vec<Order>, AppError> {
    let found = tx.orders_by_id(ids).await?;
    let existing = found.into_iter().filter(|one| one.deleted_at_ms.is_none());
    let mut by_id: HashMap<_, _> = existing.map(|one| (one.id.clone(), one)).collect();
    ids.iter()
        .map(|id| by_id.remove(id).ok_or_else(order_not_found))
        .collect()
}

impl Shop {
    /// Locks the customer and the order, in the same sequence as settlement, and reads the order.
    pub(crate) async fn lock_and_read_order(
        &self,
        tx: &mut dyn Transaction,
        id: &OrderId,
    ) -> Result<Order, AppError> {
        let order = tx.order(id).await?.ok_or_else(order_not_found)?;
        tx.lock_user(&order.user).await?;
        tx.lock_order(id).await?;
        tx.order(id).await?.ok_or_else(order_not_found)
    }

    /// As `lock_and_read_order`, also for a deleted order.
    pub(crate) async fn lock_and_read_even_deleted(
        &self,
        tx: &mut dyn Transaction,
        id: &OrderId,
    ) -> Result<Order, AppError> {
        let ids = [id.to_owned()];
        let order = tx.orders_by_id(&ids).await?.pop();
        tx.lock_user(&order.ok_or_else(order_not_found)?.user)
            .await?;
        tx.lock_order(id).await?;
        let order = tx.orders_by_id(&ids).await?.pop();
        order.ok_or_else(order_not_found)
    }

    /// The same for many orders, in as many statements as for one. Returns them in the order of `ids`.
    pub(crate) async fn lock_and_read_orders(
        &self,
        tx: &mut dyn Transaction,
        ids: &[OrderId],
    ) -> Result<Vec<Order>, AppError> {
        let orders = tx.orders_by_id(ids).await?;
        let users: Vec<_> = orders.into_iter().map(|order| order.user).collect();
        tx.lock_users(&users).await?;
        tx.lock_orders(ids).await?;
        read_orders(tx, ids).await
    }
}
