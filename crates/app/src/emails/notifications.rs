//! Emails to the owner about what is new: messages, paid orders, failed refunds, problems, cancellation requests and issues.
//! At most one an hour for each kind. Low stock is checked once a day. A row for each kind stores what was reported; it is changed in the
//! transaction that stores the email, so nothing is reported twice or left out, whatever instance runs and whenever it is
//! stopped.

use mirasa_domain::notification::{NotificationKind, Period};
use mirasa_domain::order::{OrderId, short_id};
use mirasa_domain::stock::Stock;

use crate::emails::notification_email::{Entry, NotificationEmail};
use crate::repository::emails::notifications::FirstOf;
use crate::repository::emails::outbox::OutboxEmail;
use crate::repository::{Queries, Transaction};
use crate::runtime::failpoints::failpoint;
use crate::stock::ProductStock;
use crate::{AppError, Shop};

/// Entries that an email names; of the others it has the number.
const MAX_ENTRIES: i64 = 10;
/// The owner reads this list to buy and make: it is longer.
const MAX_LOW_PRODUCTS: usize = 50;
/// Sent emails are deleted after this time, because they name customers.
const RETENTION_MS: i64 = 30 * 24 * 60 * 60_000;
/// Characters of a message's first line.
const MAX_LINE_CHARS: usize = 120;

impl Shop {
    /// At the start. A shop that has just got an address is notified of what is new from now on, not of its history.
    pub async fn begin_notifications(&self) -> Result<(), AppError> {
        let has_address = !self.settings.notify_emails.is_empty();
        let is_settled: bool = self
            .db
            .read(async move |db| {
                for kind in NotificationKind::ALL {
                    if db.notification(kind).await?.is_some() != has_address {
                        return Ok(false);
                    }
                }
                Ok::<_, AppError>(true)
            })
            .await?;
        if is_settled {
            return Ok(());
        }
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| {
                if !has_address {
                    return Ok(tx.end_notifications().await?);
                }
                for kind in NotificationKind::ALL {
                    tx.begin_notification(kind, now_ms).await?;
                }
                Ok(())
            })
            .await
    }

    pub async fn notify_owner(&self) -> Result<(), AppError> {
        if self.settings.notify_emails.is_empty() {
            return Ok(());
        }
        self.begin_notifications().await?;
        let mut outcome = Ok(());
        for kind in NotificationKind::ALL {
            let notified = match kind {
                NotificationKind::LowStock => self.notify_of_low_stock().await,
                _ => self.notify_of(kind).await,
            };
            outcome = outcome.and(notified);
        }
        outcome
    }

    pub async fn delete_sent_notifications(&self) -> Result<u64, AppError> {
        let before_ms = self.now_ms() - RETENTION_MS;
        self.db
            .write(async move |tx| Ok(tx.delete_sent_notifications(before_ms).await?))
            .await
    }

    async fn notify_of(&self, kind: NotificationKind) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let console = format!("{}/admins", self.settings.public_url);
        let console_of_read = console.clone();
        // Read first: most runs find nothing, and a write would occupy the only writer of SQLite.
        let is_due: bool = self
            .db
            .read(async move |db| {
                let state = db.notification(kind).await?;
                let Some(period) = state.and_then(|state| state.due(now_ms)) else {
                    return Ok(false);
                };
                let digest = Digest::read(db, kind, period, &console_of_read).await?;
                Ok::<_, AppError>(digest.count > 0)
            })
            .await?;
        if !is_due {
            return Ok(());
        }
        let shop = self.clone();
        self.db
            .write(async move |tx| {
                shop.notify_in(tx, kind, &console, now_ms).await?;
                failpoint("notifying the owner");
                Ok::<_, AppError>(())
            })
            .await?;
        failpoint("owner notified");
        Ok(())
    }

    async fn notify_in(
        &self,
        tx: &mut dyn Transaction,
        kind: NotificationKind,
        console: &str,
        now_ms: i64,
    ) -> Result<(), AppError> {
        let state = tx.lock_notification(kind).await?;
        let Some(period) = state.and_then(|state| state.due(now_ms)) else {
            return Ok(());
        };
        let digest = Digest::read(tx, kind, period, console).await?;
        if digest.count == 0 {
            return Ok(());
        }
        self.store_notification(tx, kind, digest, console, now_ms)
            .await?;
        Ok(tx
            .record_notification(kind, Some(now_ms), period.until_ms)
            .await?)
    }

    /// Once a day, whether or not something is low, so that the stock is read once.
    async fn notify_of_low_stock(&self) -> Result<(), AppError> {
        const KIND: NotificationKind = NotificationKind::LowStock;
        let now_ms = self.now_ms();
        let is_due: bool = self
            .db
            .read(async move |db| {
                let state = db.notification(KIND).await?;
                Ok::<_, AppError>(state.is_some_and(|state| state.daily_due(now_ms)))
            })
            .await?;
        if !is_due {
            return Ok(());
        }
        let shop = self.clone();
        self.db
            .write(async move |tx| {
                // Another instance may have been first.
                let state = tx.lock_notification(KIND).await?;
                let Some(state) = state.filter(|state| state.daily_due(now_ms)) else {
                    return Ok(());
                };
                let mut low = shop.read_stock(tx).await?;
                low.retain(|stock| stock.is_low);
                low.sort_by_key(|stock| stock.cover.map_or(0, |cover| cover.days));
                let console = format!("{}/admins", shop.settings.public_url);
                let digest = Digest::of_low_stock(&low, &console);
                let mut last_sent = state.last_sent_at_ms;
                if digest.count > 0 {
                    shop.store_notification(tx, KIND, digest, &console, now_ms)
                        .await?;
                    last_sent = Some(now_ms);
                }
                failpoint("notifying of low stock");
                tx.record_notification(KIND, last_sent, now_ms).await?;
                Ok::<_, AppError>(())
            })
            .await
    }

    /// Stores the email for each address.
    async fn store_notification(
        &self,
        tx: &mut dyn Transaction,
        kind: NotificationKind,
        digest: Digest,
        console: &str,
        now_ms: i64,
    ) -> Result<(), AppError> {
        let settings = &self.settings;
        let email = NotificationEmail {
            headline: kind.headline(digest.count),
            shop: settings,
            more: digest.count - digest.entries.len() as i64,
            entries: digest.entries,
            console_url: match kind {
                NotificationKind::LowStock => format!("{console}?section=stock&show=low"),
                _ => format!("{console}?section={}", kind.section()),
            },
        };
        let rendered = email.render().map_err(AppError::internal)?;
        for address in &settings.notify_emails {
            tx.insert_email(&OutboxEmail {
                id: self.ids.new_id().into(),
                order_id: None,
                kind: NotificationEmail::KIND.into(),
                recipient: address.clone(),
                subject: rendered.subject.clone(),
                text_body: rendered.text.clone(),
                html_body: rendered.html.clone(),
                in_reply_to: None,
                reply_to: None,
                invoice_id: None,
                attempts: 0,
                created_at_ms: now_ms,
                sent_at_ms: None,
            })
            .await?;
        }
        Ok(())
    }
}

/// What is new of one kind.
struct Digest {
    entries: Vec<Entry>,
    count: i64,
}

impl Digest {
    async fn read<Q: Queries + ?Sized>(
        db: &mut Q,
        kind: NotificationKind,
        period: Period,
        console: &str,
    ) -> Result<Digest, AppError> {
        let order_url = |id: &OrderId| format!("{console}?section=orders&orderId={id}");
        Ok(match kind {
            NotificationKind::Messages => {
                let found = db.unread_messages_of(period, MAX_ENTRIES).await?;
                Digest::new(found, |message| Entry {
                    url: format!("{console}?section=messages&message={}", message.id),
                    detail: first_line(&message.message),
                    title: [message.name, message.email]
                        .into_iter()
                        .find(|text| !text.is_empty())
                        .unwrap_or_else(|| "Without a name".into()),
                })
            }
            NotificationKind::PaidOrders => {
                let found = db.paid_orders_of(period, MAX_ENTRIES).await?;
                Digest::new(found, |order| Entry {
                    url: order_url(&order.id),
                    title: format!("Order {}", short_id(&order.id)),
                    detail: format!("{}, {}", order.total.two_decimals(), order.customer_name),
                })
            }
            NotificationKind::Problems => {
                let found = db.open_problems_of(period, MAX_ENTRIES).await?;
                Digest::new(found, |problem| Entry {
                    url: format!("{console}?section=problems"),
                    title: format!("Order {}", short_id(&problem.order_id)),
                    detail: first_line(&problem.message),
                })
            }
            NotificationKind::Cancellations => {
                let found = db
                    .open_cancellation_requests_of(period, MAX_ENTRIES)
                    .await?;
                Digest::new(found, |order_id| Entry {
                    url: order_url(&order_id),
                    title: format!("Order {}", short_id(&order_id)),
                    detail: "The customer asks to cancel it. Please answer within a day".into(),
                })
            }
            NotificationKind::FailedRefunds | NotificationKind::Issues => {
                let failed_refunds = kind == NotificationKind::FailedRefunds;
                let found = db
                    .open_issues_of(period, failed_refunds, MAX_ENTRIES)
                    .await?;
                Digest::new(found, |issue| Entry {
                    url: order_url(&issue.order_id),
                    title: format!(
                        "Order {}: {}",
                        short_id(&issue.order_id),
                        issue.kind.as_str()
                    ),
                    detail: issue.detail,
                })
            }
            // Read from the stock, not by time.
            NotificationKind::LowStock => Digest {
                entries: Vec::new(),
                count: 0,
            },
        })
    }

    fn of_low_stock(low: &[ProductStock], console: &str) -> Digest {
        let entry = |stock: &ProductStock| {
            let product = &stock.product;
            Entry {
                url: format!("{console}?section=stock&product={}", product.id.0),
                title: product.details.product_name.clone(),
                detail: low_stock_text(stock),
            }
        };
        Digest {
            entries: low.iter().take(MAX_LOW_PRODUCTS).map(entry).collect(),
            count: low.len() as i64,
        }
    }

    fn new<T>(found: FirstOf<T>, entry: impl Fn(T) -> Entry) -> Digest {
        Digest {
            entries: found.rows.into_iter().map(entry).collect(),
            count: found.count,
        }
    }
}

/// `Sold out`, or `3 days left: 240 g, 40 and 12 pouches`
fn low_stock_text(stock: &ProductStock) -> String {
    if stock.product.packs_left() == 0 {
        return "Sold out".to_owned();
    }
    let days = stock.cover.map_or(0, |cover| cover.days);
    let Stock {
        grams,
        pouches_50g,
        pouches_100g,
    } = stock.product.sellable();
    let days = if days == 1 {
        "1 day".to_owned()
    } else {
        format!("{days} days")
    };
    format!("{days} left: {grams} g, {pouches_50g} pouches of 50 g, {pouches_100g} of 100 g")
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= MAX_LINE_CHARS {
        return line.to_owned();
    }
    let start: String = line.chars().take(MAX_LINE_CHARS).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_is_short() {
        assert_eq!(first_line("Hello\nThere"), "Hello");
        assert_eq!(first_line(""), "");
        let long = first_line(&"मसाला ".repeat(50));
        assert!(long.chars().count() <= MAX_LINE_CHARS + 1 && long.ends_with('…'));
    }
}
