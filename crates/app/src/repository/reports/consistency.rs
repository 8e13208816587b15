//! The checks of `mirasa check`: whether stock, orders, payments, invoices and reviews agree.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;

use crate::repository::StoreResult;

/// How much was checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckedCounts {
    pub products: i64,
    pub orders: i64,
    /// Completed ones.
    pub payments: i64,
    /// Invoices and credit notes.
    pub invoices: i64,
    pub reviews: i64,
    pub parcels: i64,
    pub discounts: i64,
    pub batches: i64,
}

/// Packs of a product in an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPacks {
    pub order_id: OrderId,
    pub product: ProductId,
    pub packs: Packs,
}

/// How much more the batches of a product have than what lies in the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchExcess {
    pub product: ProductId,
    pub grams: i64,
}

#[async_trait]
pub trait ConsistencyQueries: Send {
    async fn checked_counts(&mut self) -> StoreResult<CheckedCounts>;
    /// Products whose stock differs from the sum of their ledger rows.
    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>>;
    /// Orders whose reservation does not fit their payment status.
    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose ledger rows differ from what they have reserved.
    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>>;
    /// Completed orders without an attempt that paid exactly their total, and orders that have one but are not completed.
    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose invoice is not what was paid, less earlier refunds, or whose invoices are not the sum of their lines.
    async fn orders_with_wrong_invoice(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose credit notes exceed the invoice, differ from their refunds, or are missing.
    async fn orders_with_wrong_credit_notes(&mut self) -> StoreResult<Vec<String>>;
    /// Orders with two parcels at once, with a parcel that is not booked and yet under way, or with a delivered parcel that
    /// the customer was not notified of.
    async fn orders_with_wrong_parcel(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose total or discount is not the sum of their lines.
    async fn orders_with_wrong_discount(&mut self) -> StoreResult<Vec<String>>;
    /// Batches whose grams are not what the ledger and the packed orders leave of them. With the product: `goda-masala (id)`.
    async fn wrong_batches(&mut self) -> StoreResult<Vec<String>>;
    /// Packs that orders have of batches beyond those that they have at all.
    async fn batch_packs_taken_twice(&mut self) -> StoreResult<Vec<OrderPacks>>;
    /// Products of which the batches have more than what lies in the shop.
    async fn batches_beyond_stock(&mut self) -> StoreResult<Vec<BatchExcess>>;
    /// Orders whose requests to cancel do not fit their status and history.
    async fn orders_with_wrong_cancellation(&mut self) -> StoreResult<Vec<String>>;
    /// Orders with a problem that was refunded from another payment, or with more packs replaced and refunded than
    /// they have.
    async fn orders_with_wrong_problem(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose packs of another parcel were not taken out of stock, or without a reason.
    async fn orders_sent_again_wrongly(&mut self) -> StoreResult<Vec<String>>;
    /// Discount codes with more uses than their limit.
    async fn overused_discounts(&mut self) -> StoreResult<Vec<String>>;
    /// Cancelled and deleted orders whose money was not refunded, and that no admin knows of.
    async fn orders_with_kept_payment(&mut self) -> StoreResult<Vec<String>>;
    /// Orders that left the shop unpaid or refunded, and that no admin knows of.
    async fn orders_that_left_wrongly(&mut self) -> StoreResult<Vec<String>>;
    /// Paid orders that left the shop without an invoice, although their money is kept.
    async fn orders_without_invoice(&mut self) -> StoreResult<Vec<String>>;
    /// Series of invoices that have gaps, or whose dates are not in the order of their numbers.
    async fn incomplete_series(&mut self) -> StoreResult<Vec<String>>;
    /// Orders with an email to a customer whose account was erased, or with an issue that has the address.
    async fn orders_naming_erased_customers(&mut self) -> StoreResult<Vec<String>>;
    /// Orders that have put back more packs than they held.
    async fn orders_with_wrong_restock(&mut self) -> StoreResult<Vec<String>>;
    /// Orders of which packs were refunded twice, or with a failed refund whose issue is missing or was not resolved by the
    /// refund that replaced it.
    async fn orders_with_wrong_refunds(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose invoice, less its credit notes, is not the money kept.
    async fn orders_with_wrong_declaration(&mut self) -> StoreResult<Vec<String>>;
    /// Requests for notices of new stock that are marked as notified, but have no email.
    async fn stock_notices_without_email(&mut self) -> StoreResult<Vec<String>>;
    /// Products whose rating is not the count of their visible reviews.
    async fn products_with_wrong_rating(&mut self) -> StoreResult<Vec<ProductId>>;
    /// Reviews whose votes are miscounted, or of a product that the author's order does not have.
    async fn wrong_reviews(&mut self) -> StoreResult<Vec<String>>;
}
