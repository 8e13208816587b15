//! Sending an order again after its parcel was lost or came back. What the order no longer has comes out of stock once more.

use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderStatus, short_id};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{Shipment, ShipmentStatus, is_to_be_sent_again};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::orders::LeavingConfirmation;
use crate::repository::Transaction;
use crate::repository::stock::TakenAgain;
use crate::runtime::failpoints::failpoint;
use crate::shipping::ship::not_shippable;
use crate::stock::batches::packing::{BatchStocks, too_old};
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// As `check_packs_to_send`. Another parcel of an order takes packs that are back in stock out of it again, so only
    /// refunded ones are refused. The caller has locked the order.
    pub(super) async fn check_another_parcel(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        earlier: &[Shipment],
        refunds: &[Refund],
        confirmed: LeavingConfirmation,
    ) -> Result<(), AppError> {
        if is_to_be_sent_again(earlier) && !order.is_refunded(refunds) {
            return Ok(());
        }
        self.check_packs_to_send(tx, order, refunds, confirmed)
            .await
    }

    /// Takes what another parcel needs out of stock and out of its batches, and changes the order's lines accordingly. All
    /// packs if the last parcel is lost; if it came back, those that were put back into stock. The caller has locked the
    /// order.
    pub(super) async fn take_for_another_parcel(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        order: &mut Order,
        earlier: &[Shipment],
        refunds: &[Refund],
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        if !is_to_be_sent_again(earlier) {
            return Ok(Vec::new());
        }
        let status = order.state.order_status;
        if !matches!(status, OrderStatus::Confirmed | OrderStatus::Shipped) {
            return Err(not_shippable(order));
        }
        // A parcel after the lost one has taken its packs already.
        let is_lost = earlier
            .last()
            .is_some_and(|last| last.position.status == ShipmentStatus::Lost);
        let mut packs = Vec::new();
        let lines = order.lines.iter();
        let owed: Vec<_> = lines.map(|line| order.packs_owed(line, refunds)).collect();
        for (line, wanted) in order.lines.iter_mut().zip(owed) {
            let there = line.packs.checked_sub(line.restocked).unwrap_or_default();
            let taken = match is_lost {
                true => wanted,
                false => wanted.saturating_sub(there),
            };
            if !is_lost {
                line.restocked = line.restocked.saturating_sub(taken);
            }
            if !taken.is_empty() {
                packs.push((line.product.clone(), taken));
            }
        }
        if packs.is_empty() {
            return Ok(Vec::new());
        }
        // All in one statement, in a fixed order, to avoid deadlocks.
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
        tx.lock_products(&ids).await?;
        // Before the stock changes: what has no batch is the difference between the stock and the batches.
        let mut batch_stocks = self
            .batch_stocks_of(tx, std::slice::from_ref(order))
            .await?;
        let from = match is_lost {
            true => TakenAgain::InsteadOfLost,
            false => TakenAgain::Restocked,
        };
        let left = tx
            .take_again(&order.id, &self.ids.new_id(), &packs, from, self.now_ms())
            .await?;
        let Some(left) = left else {
            return Err(not_enough(order));
        };
        self.take_batches_again(tx, &mut batch_stocks, order, &packs)
            .await?;
        let (kind, detail) = (OrderEventKind::SentAgain, order.describe_packs(&packs));
        let actor = Actor::Admin(admin.email.clone());
        self.record_event(tx, &order.id, kind, actor, detail)
            .await?;
        failpoint("sending again");
        Ok(left)
    }

    async fn take_batches_again(
        &self,
        tx: &mut dyn Transaction,
        batch_stocks: &mut BatchStocks,
        order: &Order,
        packs: &[(ProductId, Packs)],
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        for (product, packs) in packs {
            let Some(batch_stock) = batch_stocks.get_mut(product) else {
                continue;
            };
            let line = order.lines.iter().find(|line| line.product == *product);
            let line = line.ok_or_else(crate::orders::order_not_found)?;
            let taken = batch_stock.take(*packs, ist::day(now_ms));
            let taken = taken.map_err(|_| too_old(order, line))?;
            for packs in &taken {
                tx.take_batch_packs(&order.id, product, packs, now_ms)
                    .await?;
            }
        }
        Ok(())
    }
}

fn not_enough(order: &Order) -> AppError {
    let message = format!(
        "There is not enough stock to send order {} again. Receive new stock or refund the order.",
        short_id(&order.id)
    );
    AppError::new(ErrorCode::InsufficientStock, message)
}
