//! The search of the console: orders by a number that belongs to them.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderId, OrderStatus};

use crate::repository::StoreResult;

mirasa_domain::text_enum! {
    /// What the search text is of the order that it found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OrderMatch {
        /// The order's id, or the end of it that is shown.
        Order = "order",
        /// The tracking number of its parcel.
        Tracking = "tracking",
        /// The number of its invoice or a credit note.
        Invoice = "invoice",
    }
}

/// An order that the search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundOrder {
    pub id: OrderId,
    pub matched: OrderMatch,
    /// The tracking number or the invoice's number; empty where the order's own number was found.
    pub number: String,
    /// Empty for a deleted account.
    pub customer_name: String,
    pub total: Paise,
    pub status: OrderStatus,
    pub created_at_ms: i64,
    pub deleted_at_ms: Option<i64>,
}

/// How a text is looked for among the ids of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderNumber {
    Full(String),
    /// The beginning of the 8 characters that are shown. Lower-case hexadecimal digits.
    Shown(String),
}

#[async_trait]
pub trait ConsoleSearchQueries: Send {
    /// The orders with this number, and those with a parcel or an invoice whose number is the text. Newest first in each
    /// kind, and at most `limit` of each.
    async fn orders_by_number(
        &mut self,
        number: Option<&OrderNumber>,
        text: &str,
        limit: i64,
    ) -> StoreResult<Vec<FoundOrder>>;
}
