//! The order that replaces items of another one, free of charge.

use mirasa_domain::cart::CartError;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{
    Order, OrderId, OrderLine, OrderState, OrderStatus, PaymentStatus, short_id,
};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::orders::order_not_found;
use crate::repository::Transaction;
use crate::{AppError, Shop};

impl Shop {
    /// The order whose payment is refunded: for a replacement, the first order. The caller has locked the customer and the
    /// order.
    pub(super) async fn paid_order_for(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Order, AppError> {
        let ids = std::slice::from_ref(&order.id);
        match tx.original_orders_of(ids).await?.pop() {
            Some((_, original)) => self.lock_and_read_order(tx, &original).await,
            None => Ok(order.clone()),
        }
    }

    /// A new order without charge for these packs, to the same address. It takes its stock now.
    pub(super) async fn place_replacement(
        &self,
        tx: &mut dyn Transaction,
        original: &Order,
        packs: &[(ProductId, Packs)],
        admin: &User,
    ) -> Result<(Order, Vec<(ProductId, Stock)>), AppError> {
        let (now_ms, ids): (i64, Vec<_>) = (
            self.now_ms(),
            packs.iter().map(|(id, _)| id.clone()).collect(),
        );
        tx.lock_products(&ids).await?;
        let products = self.products_to_sell(tx, &ids).await?;
        let mut left = Vec::new();
        let mut lines = Vec::new();
        for (id, packs) in packs {
            let ordered = original.lines.iter().find(|line| line.product == *id);
            let ordered = ordered.ok_or_else(order_not_found)?;
            let product = products.iter().find(|product| product.id == *id);
            if let Some(product) = product {
                let sellable = product.sellable();
                sellable.check_available(*packs).map_err(CartError::from)?;
            }
            let stock = product.map(|product| product.stock).unwrap_or_default();
            let stock = stock.checked_sub(*packs).map_err(CartError::from)?;
            left.push((id.clone(), stock));
            let free = |count: u32| (count > 0).then_some(Paise::ZERO);
            lines.push(OrderLine {
                packs: *packs,
                prices: Prices {
                    of_50g: free(packs.of_50g),
                    of_100g: free(packs.of_100g),
                },
                discount: Paise::ZERO,
                total: Paise::ZERO,
                restocked: Packs::ZERO,
                ..ordered.clone()
            });
        }
        let id = self.ids.new_id();
        let order = Order {
            merchant_order_id: AttemptId::from_unique(&id),
            id: OrderId(id),
            user: original.user.clone(),
            state: OrderState {
                total: Paise::ZERO,
                payment_status: PaymentStatus::Completed,
                order_status: OrderStatus::Confirmed,
                stock_reserved: true,
                end_reason: None,
            },
            payment_error: None,
            paid_by_attempt: None,
            address: original.address.clone(),
            expires_at_ms: now_ms,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
            deleted_at_ms: None,
            delivered_at_ms: None,
            packed_at_ms: None,
            version: 0,
            sends_refunded: false,
            replaces_order_id: Some(original.id.clone()),
            discount: None,
            lines,
        };
        tx.insert_order(&order).await?;
        tx.reserve_stock(&order.id, &order.lines, now_ms).await?;
        let detail = format!("Replacement for order {}", short_id(&original.id));
        let actor = Actor::Admin(admin.email.clone());
        self.record_event(tx, &order.id, OrderEventKind::Replaced, actor, detail)
            .await?;
        Ok((order, left))
    }
}
