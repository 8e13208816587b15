//! Discount codes and their uses.

use async_trait::async_trait;
use mirasa_domain::discount::{Discount, DiscountCode, DiscountId, DiscountTerms, DiscountUses};
use mirasa_domain::money::Paise;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// Which orders count as uses of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedOrders {
    All,
    /// For a checkout, which replaces the customer's own unpaid orders.
    WithoutOwnPending,
}

/// A code and what became of it. Cancelled orders do not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscountReport {
    pub discount: Discount,
    pub uses_paid: i64,
    /// Of orders that wait for their payment.
    pub uses_held: i64,
    /// What was paid with the code and not refunded.
    pub turnover: Paise,
    /// What the code has saved customers in paid orders.
    pub cost: Paise,
}

impl DiscountReport {
    pub fn uses(&self) -> i64 {
        self.uses_paid + self.uses_held
    }
}

#[async_trait]
pub trait DiscountQueries: Send {
    async fn discount(&mut self, id: &DiscountId) -> StoreResult<Option<Discount>>;
    async fn discount_by_code(&mut self, code: &DiscountCode) -> StoreResult<Option<Discount>>;
    /// The code with its uses, for one more order of this customer.
    async fn discount_with_uses(
        &mut self,
        id: &DiscountId,
        user: &UserId,
        counted: CountedOrders,
    ) -> StoreResult<Option<(Discount, DiscountUses)>>;
    /// The newest code first.
    async fn discount_reports(&mut self) -> StoreResult<Vec<DiscountReport>>;
    async fn discount_report(&mut self, id: &DiscountId) -> StoreResult<Option<DiscountReport>>;
}

#[async_trait]
pub trait DiscountRepository: Send {
    /// Every order that adds a use takes this lock before the uses are counted, so that the last use is given once. Taken
    /// after the locks of the customer and the order, and before those of products.
    async fn lock_discount_for_use(&mut self, id: &DiscountId) -> StoreResult<()>;
    /// For a change of the terms: no order adds a use meanwhile.
    async fn lock_discount(&mut self, id: &DiscountId) -> StoreResult<()>;
    async fn insert_discount(&mut self, discount: &Discount) -> StoreResult<()>;
    async fn update_discount(
        &mut self,
        id: &DiscountId,
        terms: &DiscountTerms,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Puts the code into the customer's cart, or takes it out.
    async fn set_cart_discount(
        &mut self,
        user: &UserId,
        discount_id: Option<&DiscountId>,
    ) -> StoreResult<()>;
    /// Takes the code out of the cart if it is this one.
    async fn clear_used_cart_discount(
        &mut self,
        user: &UserId,
        discount_id: &DiscountId,
    ) -> StoreResult<()>;
}
