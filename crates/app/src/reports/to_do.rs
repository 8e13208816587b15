//! What waits for an admin, in one list.

use mirasa_domain::batch::min_best_before;
use mirasa_domain::cancellation;
use mirasa_domain::ist::{self, DAY_MS};
use mirasa_domain::stock_cover::is_low;

use crate::repository::reports::to_do::{FailedEmail, ToDoCounts, ToDoLimits};
use crate::repository::shipping::ShipmentGroup;
use crate::{AppError, Shop};

/// Orders are dispatched within seven days after their payment, as the shipping policy promises.
pub const DISPATCH_DAYS: i64 = 7;
const MAX_LISTED_EMAILS: i64 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToDo {
    pub counts: ToDoCounts,
    pub low_stock: i64,
}

impl Shop {
    pub async fn to_do(&self) -> Result<ToDo, AppError> {
        let shop = self.clone();
        let limits = ToDoLimits {
            overdue_before_ms: self.overdue_before_ms(),
            cancellations_before_ms: cancellation::overdue_before_ms(self.now_ms()),
            unscanned_before_ms: self.unscanned_since_ms(),
            min_best_before: min_best_before(ist::day(self.now_ms())),
        };
        self.db
            .read(async move |db| {
                let sales = shop.read_sales(db).await?;
                let low_days = i64::from(shop.settings.low_stock_days);
                // The snapshot is half a second old at most, and reads no row.
                let snapshot = shop.catalogue.snapshot();
                let low = snapshot.all().iter().filter(|product| {
                    let sold = sales.get(&product.id).copied().unwrap_or_default();
                    is_low(product, sold, low_days)
                });
                Ok(ToDo {
                    low_stock: low.count() as i64,
                    counts: db.to_do_counts(limits).await?,
                })
            })
            .await
    }

    /// Emails that could not be sent after several attempts. They are still tried, once an hour.
    pub async fn failed_emails(&self) -> Result<Vec<FailedEmail>, AppError> {
        self.db
            .read(async move |db| Ok(db.failed_emails(MAX_LISTED_EMAILS).await?))
            .await
    }

    pub fn overdue_before_ms(&self) -> i64 {
        self.now_ms() - DISPATCH_DAYS * DAY_MS
    }

    pub fn unscanned_parcels(&self) -> ShipmentGroup {
        ShipmentGroup::Unscanned {
            since_ms: self.unscanned_since_ms(),
        }
    }

    fn unscanned_since_ms(&self) -> i64 {
        self.now_ms() - i64::from(self.settings.shipping.unscanned_days) * DAY_MS
    }
}
