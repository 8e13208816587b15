//! Stores reviews of products and votes for them.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reviews::ReviewRepository;
use mirasa_domain::order::OrderId;
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{HiddenReview, Review, ReviewId, ReviewReply};
use mirasa_domain::user::UserId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;

const INSERT: &str =
    "insert into reviews (id, product_id, user_id, order_id, stars, body, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)";

const INSERT_EDIT: &str = "insert into review_edits (review_id, edit, stars, body, replaced_at)
    values ($1, (select coalesce(max(edit), 0) + 1 from review_edits where review_id = $1), $2, $3, $4)";

const UPDATE_RATING: &str = "update products set
    stars_1 = (select count(*) from reviews where product_id = $1 and hidden_at is null and stars = 1),
    stars_2 = (select count(*) from reviews where product_id = $1 and hidden_at is null and stars = 2),
    stars_3 = (select count(*) from reviews where product_id = $1 and hidden_at is null and stars = 3),
    stars_4 = (select count(*) from reviews where product_id = $1 and hidden_at is null and stars = 4),
    stars_5 = (select count(*) from reviews where product_id = $1 and hidden_at is null and stars = 5),
    reviews_version = reviews_version + 1, touched_at = $2 where id = $1";

impl SqlRepository<'_> {
    async fn insert_photos(&mut self, review: &ReviewId, files: &[String]) -> StoreResult<()> {
        const INSERT_PHOTO: &str =
            "insert into review_photos (file, review_id, position) values ($1, $2, $3)";
        for (position, file) in (0_i64..).zip(files) {
            let insert = query(INSERT_PHOTO).bind(file).bind(review).bind(position);
            self.execute_deferred(insert).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl ReviewRepository for SqlRepository<'_> {
    async fn lock_review(&mut self, id: &ReviewId) -> StoreResult<()> {
        if self.is_postgres() {
            let lock = query("select id from reviews where id = $1 for update").bind(id);
            self.fetch_optional::<String>(lock).await?;
        }
        Ok(())
    }

    async fn insert_review(&mut self, review: &Review) -> StoreResult<()> {
        let insert = query(INSERT)
            .bind(&review.id)
            .bind(&review.product.0)
            .bind(&review.user.0)
            .bind(&review.order_id)
            .bind(i64::from(review.stars.get()))
            .bind(&review.text)
            .bind(review.created_at_ms);
        self.execute(insert).await?;
        self.insert_photos(&review.id, &review.images).await
    }

    async fn update_review(&mut self, before: &Review, after: &Review) -> StoreResult<()> {
        const UPDATE: &str =
            "update reviews set stars = $2, body = $3, edited_at = $4 where id = $1";
        const DELETE_PHOTOS: &str = "delete from review_photos where review_id = $1";
        let edited_at_ms = after.edited_at_ms.unwrap_or_default();
        let keep = query(INSERT_EDIT)
            .bind(&before.id)
            .bind(i64::from(before.stars.get()))
            .bind(&before.text)
            .bind(edited_at_ms);
        self.execute_deferred(keep).await?;
        let update = query(UPDATE)
            .bind(&after.id)
            .bind(i64::from(after.stars.get()))
            .bind(&after.text)
            .bind(edited_at_ms);
        self.execute_deferred(update).await?;
        if before.images != after.images {
            self.execute_deferred(query(DELETE_PHOTOS).bind(&after.id))
                .await?;
            self.insert_photos(&after.id, &after.images).await?;
        }
        Ok(())
    }

    async fn delete_review(&mut self, id: &ReviewId) -> StoreResult<()> {
        self.execute_deferred(query("delete from reviews where id = $1").bind(id))
            .await
    }

    async fn set_review_reply(
        &mut self,
        id: &ReviewId,
        reply: Option<&ReviewReply>,
    ) -> StoreResult<()> {
        const SET: &str =
            "update reviews set reply = $2, replied_at = $3, replied_by = $4 where id = $1";
        let set = query(SET)
            .bind(id)
            .bind(reply.map(|reply| reply.text.as_str()))
            .bind(reply.map(|reply| reply.at_ms))
            .bind(reply.map(|reply| reply.by.as_str()));
        self.execute_deferred(set).await
    }

    async fn set_review_hidden(
        &mut self,
        id: &ReviewId,
        hidden: Option<&HiddenReview>,
    ) -> StoreResult<()> {
        const SET: &str =
            "update reviews set hidden_reason = $2, hidden_at = $3, hidden_by = $4 where id = $1";
        let set = query(SET)
            .bind(id)
            .bind(hidden.map(|hidden| hidden.reason.as_str()))
            .bind(hidden.map(|hidden| hidden.at_ms))
            .bind(hidden.map(|hidden| hidden.by.as_str()));
        self.execute_deferred(set).await
    }

    async fn set_review_vote(
        &mut self,
        id: &ReviewId,
        user: &UserId,
        helpful: bool,
        now_ms: i64,
    ) -> StoreResult<()> {
        const ADD: &str =
            "insert into review_votes (review_id, user_id, created_at) values ($1, $2, $3)
            on conflict (review_id, user_id) do nothing";
        const REMOVE: &str = "delete from review_votes where review_id = $1 and user_id = $2";
        const COUNT: &str = "update reviews set helpful = helpful + $2 where id = $1";
        let (changed, step) = if helpful {
            let add = query(ADD).bind(id).bind(&user.0).bind(now_ms);
            (self.execute(add).await?, 1_i64)
        } else {
            let remove = query(REMOVE).bind(id).bind(&user.0);
            (self.execute(remove).await?, -1)
        };
        if changed > 0 {
            self.execute_deferred(query(COUNT).bind(id).bind(step))
                .await?;
        }
        Ok(())
    }

    async fn update_rating(&mut self, product: &ProductId, now_ms: i64) -> StoreResult<()> {
        self.execute_deferred(query(UPDATE_RATING).bind(&product.0).bind(now_ms))
            .await
    }

    async fn insert_review_request(
        &mut self,
        order_id: &OrderId,
        token_hash: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const INSERT_REQUEST: &str =
            "insert into review_requests (order_id, token_hash, created_at) values ($1, $2, $3)
            on conflict (order_id) do nothing";
        let insert = query(INSERT_REQUEST)
            .bind(order_id)
            .bind(token_hash)
            .bind(now_ms);
        Ok(self.execute(insert).await? > 0)
    }

    async fn stop_review_requests(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()> {
        const INSERT_OPT_OUT: &str =
            "insert into review_opt_outs (user_id, created_at) values ($1, $2)
            on conflict (user_id) do nothing";
        self.execute_deferred(query(INSERT_OPT_OUT).bind(&user.0).bind(now_ms))
            .await
    }
}
