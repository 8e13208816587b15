//! Customers as admins see them: what they have ordered and paid.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// An account with the sums of its orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    pub id: UserId,
    /// Empty for a deleted account, as are the email and the phone.
    pub name: String,
    pub email: String,
    /// That of the profile, or else that of the default address.
    pub phone: Option<String>,
    pub created_at_ms: i64,
    pub deleted_at_ms: Option<i64>,
    /// All but deleted ones.
    pub orders: i64,
    /// Paid, less what was refunded of it.
    pub spent: Paise,
    pub last_order_at_ms: Option<i64>,
}

mirasa_domain::text_enum! {
    /// The order of the list.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum CustomerSort {
        /// Who ordered last comes first.
        #[default]
        LastOrder = "last_order",
        /// Who spent most comes first.
        Spent = "spent",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomerFilter {
    /// Part of a name or an email; empty for all.
    pub search: String,
    /// Part of a phone number, if the search can be one: digits only.
    pub phone: Option<String>,
    pub sort: CustomerSort,
}

#[async_trait]
pub trait CustomerQueries: Send {
    async fn count_customers(&mut self, filter: &CustomerFilter) -> StoreResult<i64>;
    async fn customers_page(
        &mut self,
        filter: &CustomerFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Customer>>;
    /// Also a deleted account, without personal data.
    async fn customer(&mut self, id: &UserId) -> StoreResult<Option<Customer>>;
    /// The account with this email address. Of several the newest.
    async fn customer_by_email(&mut self, email: &str) -> StoreResult<Option<Customer>>;
}
