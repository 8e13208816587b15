//! Reviews of products, votes for them, and the requests to write one.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{HiddenReview, Review, ReviewId, ReviewReply, Stars};
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// The order of a product's reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReviewSort {
    #[default]
    Newest,
    /// By votes, then the newest first.
    Helpful,
}

/// Which reviews the admin's list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReviewFilter {
    #[default]
    All,
    /// Visible, without a reply of the shop.
    Unanswered,
    /// Visible, with one or two stars.
    Critical,
    Hidden,
}

/// What a review said before an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewEdit {
    pub review_id: ReviewId,
    pub stars: Stars,
    pub text: String,
    pub replaced_at_ms: i64,
}

/// The email that asked for reviews of an order's products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRequest {
    pub order_id: OrderId,
    pub created_at_ms: i64,
}

#[async_trait]
pub trait ReviewQueries: Send {
    async fn review(&mut self, id: &ReviewId) -> StoreResult<Option<Review>>;
    async fn visible_reviews(
        &mut self,
        product: &ProductId,
        sort: ReviewSort,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Review>>;
    /// All reviews of a customer, also hidden ones, newest first.
    async fn reviews_by(&mut self, user: &UserId) -> StoreResult<Vec<Review>>;
    /// The last delivered order with which the customer received the product.
    async fn order_with_received(
        &mut self,
        user: &UserId,
        product: &ProductId,
    ) -> StoreResult<Option<OrderId>>;
    /// The reviews of a product that the customer has voted for.
    async fn votes_by(&mut self, user: &UserId, product: &ProductId) -> StoreResult<Vec<ReviewId>>;
    /// All reviews that the customer has voted for.
    async fn all_votes_by(&mut self, user: &UserId) -> StoreResult<Vec<ReviewId>>;
    /// Whether a photo belongs to a review that customers see.
    async fn is_public_review_photo(&mut self, file: &str) -> StoreResult<bool>;
    /// Newest first.
    async fn reviews_page(
        &mut self,
        filter: ReviewFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Review>>;
    async fn count_reviews(&mut self, filter: ReviewFilter) -> StoreResult<i64>;
    /// The earlier texts of these reviews, oldest first.
    async fn review_edits(&mut self, ids: &[ReviewId]) -> StoreResult<Vec<ReviewEdit>>;

    /// Orders that were delivered in this period and about which nothing has been decided.
    async fn orders_without_review_request(
        &mut self,
        delivered_after_ms: i64,
        delivered_until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<OrderId>>;
    /// Products of which all packs of the order were refunded; all products if the whole order was.
    async fn refunded_products(&mut self, order_id: &OrderId) -> StoreResult<Vec<ProductId>>;
    async fn review_request(&mut self, token_hash: &str) -> StoreResult<Option<ReviewRequest>>;
    async fn wants_no_review_requests(&mut self, user: &UserId) -> StoreResult<bool>;
}

#[async_trait]
pub trait ReviewRepository: Send {
    /// Two changes of a review take turns.
    async fn lock_review(&mut self, id: &ReviewId) -> StoreResult<()>;
    /// With its photos. Fails with the constraint `one_review_per_customer`.
    async fn insert_review(&mut self, review: &Review) -> StoreResult<()>;
    /// Saves stars, text, photos and the time of the edit; what was there before is kept as an edit.
    async fn update_review(&mut self, before: &Review, after: &Review) -> StoreResult<()>;
    async fn delete_review(&mut self, id: &ReviewId) -> StoreResult<()>;
    async fn set_review_reply(
        &mut self,
        id: &ReviewId,
        reply: Option<&ReviewReply>,
    ) -> StoreResult<()>;
    async fn set_review_hidden(
        &mut self,
        id: &ReviewId,
        hidden: Option<&HiddenReview>,
    ) -> StoreResult<()>;
    /// Adds or removes the customer's vote, once.
    async fn set_review_vote(
        &mut self,
        id: &ReviewId,
        user: &UserId,
        helpful: bool,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Counts the visible reviews of the product again, and gives its rating a new version. The product must be locked.
    async fn update_rating(&mut self, product: &ProductId, now_ms: i64) -> StoreResult<()>;

    /// False if the order has one.
    async fn insert_review_request(
        &mut self,
        order_id: &OrderId,
        token_hash: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn stop_review_requests(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()>;
}
