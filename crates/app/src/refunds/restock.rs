//! Puts packs of an order back into stock.

use mirasa_domain::order::Order;
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::restock::Restock;
use mirasa_domain::stock::Stock;

use crate::refunds::restocking::ensure_not_lost;
use crate::repository::Transaction;
use crate::{AppError, Shop};

type NewStock = Vec<(ProductId, Stock)>;

impl Shop {
    /// Puts all items of the order that it still holds back into stock.
    pub(crate) async fn restock_all(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        self.restock(tx, order, &Restock::everything(order), actor)
            .await
    }

    pub(super) async fn restock(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        restock: &Restock,
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        if restock.is_empty() {
            return Ok(Vec::new());
        }
        ensure_not_lost(tx, &order.id).await?;
        let left = tx
            .restock(&order.id, &self.ids.new_id(), restock, self.now_ms())
            .await?;
        self.return_batches(tx, &order.id, restock.packs()).await?;
        let detail = order.describe_packs(restock.packs());
        self.record_event(tx, &order.id, OrderEventKind::Restocked, actor, detail)
            .await?;
        Ok(left)
    }
}
