//! Reads reviews of products, votes for them and requests for reviews.

use async_trait::async_trait;
use mirasa_app::repository::reviews::{
    ReviewEdit, ReviewFilter, ReviewQueries, ReviewRequest, ReviewSort,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::order::OrderId;
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{HiddenReview, Review, ReviewId, ReviewReply, Stars};
use mirasa_domain::user::UserId;

use crate::reviews::requests::{ORDERS_TO_ASK, REFUNDED_PRODUCTS, REQUEST, RequestRow};
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct ReviewRow {
        id: ReviewId,
        product_id: ProductId,
        user_id: UserId,
        order_id: OrderId,
        stars: i64,
        body: String,
        helpful: i64,
        created_at: i64,
        edited_at: Option<i64>,
        reply: Option<String>,
        replied_at: Option<i64>,
        replied_by: Option<String>,
        hidden_at: Option<i64>,
        hidden_by: Option<String>,
        hidden_reason: Option<String>,
        author: String,
    }
}

row! {
    struct PhotoRow {
        file: String,
        review_id: ReviewId,
    }
}

row! {
    struct EditRow {
        review_id: ReviewId,
        stars: i64,
        body: String,
        replaced_at: i64,
    }
}

const SELECT: &str = "select r.*, u.name as author from reviews r join users u on u.id = r.user_id";

/// What was received: delivered and paid for, and not all of it taken back into stock.
const ORDER_WITH_RECEIVED: &str =
    "select o.id from orders o join order_lines l on l.order_id = o.id
    where o.user_id = $1 and l.product_id = $2 and o.order_status = 'delivered' and o.payment_status = 'completed'
    and o.deleted_at is null and l.qty_50g + l.qty_100g > l.restocked_50g + l.restocked_100g
    order by o.created_at desc, o.id desc limit 1";

fn stars(review: &ReviewId, count: i64) -> StoreResult<Stars> {
    Stars::new(count)
        .map_err(|_| StoreError::Broken(anyhow::anyhow!("review {review} has {count} stars")))
}

impl ReviewRow {
    fn into_review(self, images: Vec<String>) -> StoreResult<Review> {
        Ok(Review {
            stars: stars(&self.id, self.stars)?,
            id: self.id,
            product: self.product_id,
            user: self.user_id,
            author: self.author,
            order_id: self.order_id,
            text: self.body,
            images,
            helpful: self.helpful,
            created_at_ms: self.created_at,
            edited_at_ms: self.edited_at,
            reply: self.reply.map(|text| ReviewReply {
                text,
                at_ms: self.replied_at.unwrap_or_default(),
                by: self.replied_by.unwrap_or_default(),
            }),
            hidden: self.hidden_at.map(|at_ms| HiddenReview {
                reason: self.hidden_reason.unwrap_or_default(),
                at_ms,
                by: self.hidden_by.unwrap_or_default(),
            }),
        })
    }
}

const fn condition(filter: ReviewFilter) -> &'static str {
    match filter {
        ReviewFilter::All => "1 = 1",
        ReviewFilter::Unanswered => "r.hidden_at is null and r.reply is null",
        ReviewFilter::Critical => "r.hidden_at is null and r.stars <= 2",
        ReviewFilter::Hidden => "r.hidden_at is not null",
    }
}

impl SqlRepository<'_> {
    async fn find_reviews(&mut self, find: Query<'_>) -> StoreResult<Vec<Review>> {
        let rows: Vec<ReviewRow> = self.fetch_all(find).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select file, review_id from review_photos where review_id in ({}) order by review_id, position",
            placeholders(1, rows.len())
        );
        let ids = rows.iter().map(|row| &row.id);
        let photos: Vec<PhotoRow> = self.fetch_all(ids.fold(query(text), Query::bind)).await?;
        rows.into_iter()
            .map(|row| {
                let own = photos.iter().filter(|photo| photo.review_id == row.id);
                let images = own.map(|photo| photo.file.clone()).collect();
                row.into_review(images)
            })
            .collect()
    }
}

#[async_trait]
impl ReviewQueries for SqlRepository<'_> {
    async fn review(&mut self, id: &ReviewId) -> StoreResult<Option<Review>> {
        let find = query(format!("{SELECT} where r.id = $1")).bind(id);
        Ok(self.find_reviews(find).await?.into_iter().next())
    }

    async fn visible_reviews(
        &mut self,
        product: &ProductId,
        sort: ReviewSort,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Review>> {
        let order = match sort {
            ReviewSort::Newest => "r.created_at desc, r.id desc",
            ReviewSort::Helpful => "r.helpful desc, r.created_at desc, r.id desc",
        };
        let text = format!(
            "{SELECT} where r.product_id = $1 and r.hidden_at is null order by {order} limit $2 offset $3"
        );
        let find = query(text).bind(&product.0).bind(limit).bind(offset);
        self.find_reviews(find).await
    }

    async fn reviews_by(&mut self, user: &UserId) -> StoreResult<Vec<Review>> {
        let text = format!("{SELECT} where r.user_id = $1 order by r.created_at desc, r.id desc");
        self.find_reviews(query(text).bind(&user.0)).await
    }

    async fn order_with_received(
        &mut self,
        user: &UserId,
        product: &ProductId,
    ) -> StoreResult<Option<OrderId>> {
        let find = query(ORDER_WITH_RECEIVED).bind(&user.0).bind(&product.0);
        self.fetch_optional(find).await
    }

    async fn votes_by(&mut self, user: &UserId, product: &ProductId) -> StoreResult<Vec<ReviewId>> {
        const FIND: &str =
            "select v.review_id from review_votes v join reviews r on r.id = v.review_id
            where v.user_id = $1 and r.product_id = $2 order by v.created_at, v.review_id";
        self.fetch_all(query(FIND).bind(&user.0).bind(&product.0))
            .await
    }

    async fn all_votes_by(&mut self, user: &UserId) -> StoreResult<Vec<ReviewId>> {
        const FIND: &str =
            "select review_id from review_votes where user_id = $1 order by created_at, review_id";
        self.fetch_all(query(FIND).bind(&user.0)).await
    }

    async fn is_public_review_photo(&mut self, file: &str) -> StoreResult<bool> {
        const FIND: &str = "select r.id from review_photos p join reviews r on r.id = p.review_id
            where p.file = $1 and r.hidden_at is null";
        let found: Option<String> = self.fetch_optional(query(FIND).bind(file)).await?;
        Ok(found.is_some())
    }

    async fn reviews_page(
        &mut self,
        filter: ReviewFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Review>> {
        let text = format!(
            "{SELECT} where {} order by r.created_at desc, r.id desc limit $1 offset $2",
            condition(filter)
        );
        self.find_reviews(query(text).bind(limit).bind(offset))
            .await
    }

    async fn count_reviews(&mut self, filter: ReviewFilter) -> StoreResult<i64> {
        let text = format!("select count(*) from reviews r where {}", condition(filter));
        self.fetch_one(query(text)).await
    }

    async fn review_edits(&mut self, ids: &[ReviewId]) -> StoreResult<Vec<ReviewEdit>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select review_id, stars, body, replaced_at from review_edits where review_id in ({}) order by review_id, edit",
            placeholders(1, ids.len())
        );
        let rows: Vec<EditRow> = self
            .fetch_all(ids.iter().fold(query(text), Query::bind))
            .await?;
        let edits = rows.into_iter().map(|row| {
            Ok(ReviewEdit {
                stars: stars(&row.review_id, row.stars)?,
                review_id: row.review_id,
                text: row.body,
                replaced_at_ms: row.replaced_at,
            })
        });
        edits.collect()
    }

    async fn orders_without_review_request(
        &mut self,
        delivered_after_ms: i64,
        delivered_until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<OrderId>> {
        let find = query(ORDERS_TO_ASK)
            .bind(delivered_after_ms)
            .bind(delivered_until_ms)
            .bind(limit);
        self.fetch_all(find).await
    }

    async fn refunded_products(&mut self, order_id: &OrderId) -> StoreResult<Vec<ProductId>> {
        let ids: Vec<String> = self
            .fetch_all(query(REFUNDED_PRODUCTS).bind(order_id))
            .await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }

    async fn review_request(&mut self, token_hash: &str) -> StoreResult<Option<ReviewRequest>> {
        let row: Option<RequestRow> = self.fetch_optional(query(REQUEST).bind(token_hash)).await?;
        Ok(row.map(ReviewRequest::from))
    }

    async fn wants_no_review_requests(&mut self, user: &UserId) -> StoreResult<bool> {
        const FIND: &str = "select user_id from review_opt_outs where user_id = $1";
        let found: Option<String> = self.fetch_optional(query(FIND).bind(&user.0)).await?;
        Ok(found.is_some())
    }
}
