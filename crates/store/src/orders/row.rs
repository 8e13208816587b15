//! Rows of orders and order lines.

use std::collections::HashMap;

use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::address::Address;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{
    Order, OrderDiscount, OrderId, OrderLine, OrderState, OrderStatus, PaymentStatus,
};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::sql::engine::{SqlRepository, placeholders, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    /// An order joined with one of its lines: one row for each line.
    pub(crate) struct OrderWithLine {
        ..order: OrderRow,
        product_id: Option<String>,
        product_name: Option<String>,
        image: Option<String>,
        qty_50g: Option<i64>,
        qty_100g: Option<i64>,
        price_50g: Option<i64>,
        price_100g: Option<i64>,
        line_total: Option<i64>,
        restocked_50g: Option<i64>,
        restocked_100g: Option<i64>,
        discount: Option<i64>,
    }
}

impl OrderWithLine {
    fn take_order_line(&mut self) -> Option<OrderLine> {
        Some(OrderLine {
            product: ProductId(self.product_id.take()?),
            product_name: self.product_name.take().unwrap_or_default(),
            image: self.image.take().unwrap_or_default(),
            packs: Packs {
                of_50g: to_u32(self.qty_50g.unwrap_or_default()),
                of_100g: to_u32(self.qty_100g.unwrap_or_default()),
            },
            prices: Prices {
                of_50g: self.price_50g.map(Paise::new),
                of_100g: self.price_100g.map(Paise::new),
            },
            discount: Paise::new(self.discount.unwrap_or_default()),
            total: Paise::new(self.line_total.unwrap_or_default()),
            restocked: Packs {
                of_50g: to_u32(self.restocked_50g.unwrap_or_default()),
                of_100g: to_u32(self.restocked_100g.unwrap_or_default()),
            },
        })
    }
}

/// The rows of an order must be adjacent.
pub(crate) fn group_lines(rows: Vec<OrderWithLine>) -> StoreResult<Vec<Order>> {
    let mut orders: Vec<Order> = Vec::new();
    for mut row in rows {
        let line = row.take_order_line();
        if orders.last().is_none_or(|last| last.id != row.order.id) {
            orders.push(row.order.into_order()?);
        }
        if let (Some(order), Some(line)) = (orders.last_mut(), line) {
            order.lines.push(line);
        }
    }
    Ok(orders)
}

pub(crate) const LINE: &str = "l.product_id, l.product_name, l.image, l.qty_50g, l.qty_100g, l.price_50g, l.price_100g, l.line_total,
    l.restocked_50g, l.restocked_100g, l.discount";

row! {
    pub(crate) struct OrderRow {
        pub(crate) id: OrderId,
        user_id: UserId,
        merchant_order_id: AttemptId,
        total: i64,
        payment_status: String,
        order_status: String,
        payment_error: Option<String>,
        paid_by: Option<AttemptId>,
        holds_stock: bool,
        address: String,
        expires_at: i64,
        created_at: i64,
        updated_at: i64,
        deleted_at: Option<i64>,
        end_reason: Option<String>,
        delivered_at: Option<i64>,
        packed_at: Option<i64>,
        replaces_order_id: Option<OrderId>,
        discount_id: Option<DiscountId>,
        discount_code: Option<String>,
        discount_amount: i64,
        version: i64,
        sends_refunded: bool,
    }
}

row! {
    struct OrderLineRow {
        order_id: OrderId,
        product_id: String,
        product_name: String,
        image: String,
        qty_50g: i64,
        qty_100g: i64,
        price_50g: Option<i64>,
        price_100g: Option<i64>,
        line_total: i64,
        restocked_50g: i64,
        restocked_100g: i64,
        discount: i64,
    }
}

impl OrderRow {
    pub(crate) fn into_order(self) -> StoreResult<Order> {
        let broken = |what: &str| StoreError::Broken(anyhow::anyhow!("order {}: {what}", self.id));
        let address: Address =
            serde_json::from_str(&self.address).map_err(|_| broken("address"))?;
        let end_reason = self
            .end_reason
            .as_deref()
            .map(|text| EndReason::parse(text).ok_or_else(|| broken("end reason")))
            .transpose()?;
        let state = OrderState {
            total: Paise::new(self.total),
            payment_status: PaymentStatus::parse(&self.payment_status)
                .ok_or_else(|| broken("payment status"))?,
            order_status: OrderStatus::parse(&self.order_status)
                .ok_or_else(|| broken("order status"))?,
            stock_reserved: self.holds_stock,
            end_reason,
        };
        Ok(Order {
            id: self.id,
            user: self.user_id,
            merchant_order_id: self.merchant_order_id,
            state,
            payment_error: self.payment_error,
            paid_by_attempt: self.paid_by,
            address,
            expires_at_ms: self.expires_at,
            created_at_ms: self.created_at,
            updated_at_ms: self.updated_at,
            deleted_at_ms: self.deleted_at,
            delivered_at_ms: self.delivered_at,
            packed_at_ms: self.packed_at,
            version: self.version,
            sends_refunded: self.sends_refunded,
            replaces_order_id: self.replaces_order_id,
            discount: self.discount_id.map(|discount_id| OrderDiscount {
                discount_id,
                code: self.discount_code.unwrap_or_default(),
                amount: Paise::new(self.discount_amount),
            }),
            lines: Vec::new(),
        })
    }
}

impl From<OrderLineRow> for OrderLine {
    fn from(row: OrderLineRow) -> OrderLine {
        OrderLine {
            product: ProductId(row.product_id),
            product_name: row.product_name,
            image: row.image,
            packs: Packs {
                of_50g: to_u32(row.qty_50g),
                of_100g: to_u32(row.qty_100g),
            },
            prices: Prices {
                of_50g: row.price_50g.map(Paise::new),
                of_100g: row.price_100g.map(Paise::new),
            },
            discount: Paise::new(row.discount),
            total: Paise::new(row.line_total),
            restocked: Packs {
                of_50g: to_u32(row.restocked_50g),
                of_100g: to_u32(row.restocked_100g),
            },
        }
    }
}

impl SqlRepository<'_> {
    /// The orders that match the condition, with their lines. `join` may join more tables to `orders o`.
    pub(crate) async fn select_orders(
        &mut self,
        join: &str,
        condition: &str,
        value: &str,
    ) -> StoreResult<Vec<Order>> {
        let text = format!(
            "select o.*, {LINE} from orders o {join} left join order_lines l on l.order_id = o.id
             where {condition} order by o.created_at, o.id, l.line"
        );
        let rows = self
            .fetch_all::<OrderWithLine>(query(text).bind(value))
            .await?;
        group_lines(rows)
    }

    /// The orders with their lines, which are read in one statement.
    pub(crate) async fn with_lines(&mut self, rows: Vec<OrderRow>) -> StoreResult<Vec<Order>> {
        let mut orders = rows
            .into_iter()
            .map(OrderRow::into_order)
            .collect::<StoreResult<Vec<_>>>()?;
        if orders.is_empty() {
            return Ok(orders);
        }
        let text = format!(
            "select * from order_lines where order_id in ({}) order by order_id, line",
            placeholders(1, orders.len())
        );
        let ids = orders.iter().map(|order| &order.id);
        let lines: Vec<OrderLineRow> = self.fetch_all(ids.fold(query(text), Query::bind)).await?;
        let mut by_order = HashMap::<OrderId, Vec<OrderLine>>::new();
        for line in lines {
            by_order
                .entry(line.order_id.clone())
                .or_default()
                .push(line.into());
        }
        for order in &mut orders {
            order.lines = by_order.remove(&order.id).unwrap_or_default();
        }
        Ok(orders)
    }
}
