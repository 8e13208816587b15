//! What the shopper hears from us. A letter is a row in the transaction of the change it tells of; a
//! worker sends it later.

mod send;

use std::fmt::Write as _;

use mirasa_domain::order::{Order, OrderStatus};

use crate::repository::Transaction;
use crate::repository::outbox::OutboxEmail;
use crate::{AppError, Shop};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEmail {
    Confirmed,
    PaymentFailed(String),
    Shipped,
    Delivered,
    Cancelled,
    Refunded(String),
}

impl OrderEmail {
    /// Which change of an order's status is worth a letter.
    pub fn for_status(status: OrderStatus) -> Option<OrderEmail> {
        match status {
            OrderStatus::Shipped => Some(OrderEmail::Shipped),
            OrderStatus::Delivered => Some(OrderEmail::Delivered),
            OrderStatus::Cancelled => Some(OrderEmail::Cancelled),
            OrderStatus::Confirmed => Some(OrderEmail::Confirmed),
            OrderStatus::Pending | OrderStatus::NotApplicable => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            OrderEmail::Confirmed => "confirmed",
            OrderEmail::PaymentFailed(_) => "payment failed",
            OrderEmail::Shipped => "shipped",
            OrderEmail::Delivered => "delivered",
            OrderEmail::Cancelled => "cancelled",
            OrderEmail::Refunded(_) => "refunded",
        }
    }

    fn content(&self) -> (&'static str, String) {
        match self {
            OrderEmail::Confirmed => {
                ("Your order is confirmed", "Thank you. We have your payment and are packing your order. Delivery takes 3-5 days.".into())
            }
            OrderEmail::PaymentFailed(reason) => {
                ("Your payment did not go through", format!("{reason} Nothing was charged for this order, and your cart is as you left it."))
            }
            OrderEmail::Shipped => ("Your order is on its way", "Your parcel has left us and is in transit.".into()),
            OrderEmail::Delivered => {
                ("Your order was delivered", "We hope it tastes like home. If anything is damaged or missing, tell us the same day.".into())
            }
            OrderEmail::Cancelled => ("Your order was cancelled", "If you have paid, an approved refund is credited within 3-5 days.".into()),
            OrderEmail::Refunded(amount) => ("Your money is on its way back", format!("{amount} have been returned to the account you paid from.")),
        }
    }
}

/// `01a2…9F3C21AB` is shown as its last 8 characters in capitals, on every page and in every letter.
pub fn short_id(id: &str) -> String {
    let tail: String = id
        .chars()
        .rev()
        .take(8)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    tail.to_uppercase()
}

pub(crate) async fn enqueue(
    shop: &Shop,
    tx: &mut dyn Transaction,
    order: &Order,
    occasion: OrderEmail,
) -> Result<(), AppError> {
    let user = tx.user(&order.user).await?;
    let recipient = user.map(|user| (user.email, user.name));
    enqueue_to(shop, tx, recipient, order, occasion).await
}

/// The same where the shopper's e-mail address and name are at hand. Whoever has left gets no letter.
pub(crate) async fn enqueue_to(
    shop: &Shop,
    tx: &mut dyn Transaction,
    recipient: Option<(String, String)>,
    order: &Order,
    occasion: OrderEmail,
) -> Result<(), AppError> {
    let Some((email, called)) = recipient else {
        return Ok(());
    };
    let (headline, words) = occasion.content();
    let name = &shop.settings.shop_name;
    let number = short_id(&order.id);
    let orders_page = format!("{}/orders", shop.settings.public_url);
    let mut lines = String::new();
    let mut rows = String::new();
    for line in &order.lines {
        let mut packs = Vec::new();
        if line.packs.of_50g > 0 {
            packs.push(format!("{} × 50 g", line.packs.of_50g));
        }
        if line.packs.of_100g > 0 {
            packs.push(format!("{} × 100 g", line.packs.of_100g));
        }
        let packs = packs.join(", ");
        let _ = writeln!(lines, "  {} ({packs}): {}", line.product_name, line.total);
        let _ = write!(
            rows,
            "<tr><td>{}<br><small>{packs}</small></td><td align=\"right\">{}</td></tr>",
            escape(&line.product_name),
            line.total
        );
    }
    let total = order.state.total;
    let text_body = format!(
        "Dear {},\n\n{words}\n\nOrder {number}\n{lines}  Total: {total}\n\n{orders_page}\n\n{name}\n",
        called
    );
    let html_body = format!(
        "<!doctype html><html><body style=\"margin:0;background:#fbf3e4;font-family:Georgia,serif;color:#2b1a12\">\
         <table role=\"presentation\" width=\"100%\"><tr><td align=\"center\" style=\"padding:24px\"><table role=\"presentation\" width=\"560\" \
         style=\"max-width:100%;background:#fffaf0;border-radius:16px;padding:28px\"><tr><td><p style=\"color:#9b1c1c;font-size:20px;margin:0\">{name}</p>\
         <h1 style=\"font-size:26px\">{headline}</h1><p>Dear {},</p><p>{}</p><h2 style=\"font-size:17px\">Order {number}</h2>\
         <table width=\"100%\" cellpadding=\"6\">{rows}<tr><td><b>Total</b></td><td align=\"right\"><b>{total}</b></td></tr></table>\
         <p><a href=\"{orders_page}\" style=\"color:#9b1c1c\">See your orders</a></p></td></tr></table></td></tr></table></body></html>",
        escape(&called),
        escape(&words),
        name = escape(name),
    );
    let mail = OutboxEmail {
        id: shop.ids.new_id(),
        order_id: Some(order.id.clone()),
        kind: occasion.kind().into(),
        recipient: email,
        subject: format!("{headline} ({name} order {number})"),
        text_body,
        html_body,
        attempts: 0,
        created_at_ms: shop.now_ms(),
        sent_at_ms: None,
    };
    Ok(tx.insert_email(&mail).await?)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
