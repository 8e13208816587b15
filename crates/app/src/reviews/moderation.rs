//! What admins do with reviews: read them, reply, hide abuse and show it again. They cannot change what a customer wrote.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::review::{
    HiddenReview, MAX_HIDE_REASON_CHARS, MAX_REPLY_CHARS, Review, ReviewId, ReviewReply,
};
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::repository::reviews::{ReviewEdit, ReviewFilter};
use crate::reviews::review_not_found;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

/// A review with its earlier texts.
#[derive(Debug)]
pub struct ListedReview {
    pub review: Review,
    pub edits: Vec<ReviewEdit>,
}

/// A page of the admin's list.
#[derive(Debug)]
pub struct AdminReviewPage {
    pub reviews: Vec<ListedReview>,
    pub total: i64,
}

/// What an admin changes. None leaves it as it is.
#[derive(Debug, Clone, Default)]
pub struct ReviewChange {
    /// An empty reply deletes it.
    pub reply: Option<String>,
    pub hidden: Option<bool>,
    /// Required to hide a review.
    pub reason: String,
}

impl Shop {
    pub async fn reviews_for_admins(
        &self,
        filter: ReviewFilter,
        offset: i64,
        limit: i64,
    ) -> Result<AdminReviewPage, AppError> {
        self.db
            .replica_read(async move |db| {
                let reviews = db.reviews_page(filter, offset, limit).await?;
                let ids: Vec<_> = reviews.iter().map(|review| review.id.clone()).collect();
                let edits = db.review_edits(&ids).await?;
                let total = db.count_reviews(filter).await?;
                let listed = reviews.into_iter().map(|review| with_edits(review, &edits));
                Ok(AdminReviewPage {
                    reviews: listed.collect(),
                    total,
                })
            })
            .await
    }

    /// Also of a hidden review.
    pub async fn review_photos(&self, id: ReviewId) -> Result<Vec<String>, AppError> {
        self.db
            .read(async move |db| {
                let review = db.review(&id).await?.ok_or_else(review_not_found)?;
                Ok(review.images)
            })
            .await
    }

    pub async fn moderate_review(
        &self,
        admin: &User,
        id: ReviewId,
        change: ReviewChange,
    ) -> Result<ListedReview, AppError> {
        let reply = change.reply.map(|text| {
            validation::multi_line("reply", &text.replace("\r\n", "\n"), MAX_REPLY_CHARS)
        });
        let reply = reply.transpose()?;
        let reason = match change.hidden {
            Some(true) => validation::required("reason", &change.reason, MAX_HIDE_REASON_CHARS)?,
            _ => validation::single_line("reason", &change.reason, MAX_HIDE_REASON_CHARS)?,
        };
        let hidden = change.hidden;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let changed = self
            .db
            .write(async move |tx| {
                let found = tx.review(&id).await?.ok_or_else(review_not_found)?;
                tx.lock_products(std::slice::from_ref(&found.product))
                    .await?;
                tx.lock_review(&id).await?;
                let review = tx.review(&id).await?.ok_or_else(review_not_found)?;
                let by = admin.email.clone();
                if let Some(text) = reply {
                    let was = review.reply.as_ref().map(|reply| reply.text.as_str());
                    if was.unwrap_or_default() != text {
                        let reply = (!text.is_empty()).then(|| ReviewReply {
                            text: text.clone(),
                            at_ms: now_ms,
                            by: by.clone(),
                        });
                        tx.set_review_reply(&id, reply.as_ref()).await?;
                        shop.audit(tx, &admin, AdminAction::ReviewRepliedTo, &id, text)
                            .await?;
                    }
                }
                match (hidden, review.hidden.is_some()) {
                    (Some(true), false) => {
                        let hidden = HiddenReview {
                            reason: reason.clone(),
                            at_ms: now_ms,
                            by,
                        };
                        tx.set_review_hidden(&id, Some(&hidden)).await?;
                        shop.audit(tx, &admin, AdminAction::ReviewHidden, &id, reason)
                            .await?;
                    }
                    (Some(false), true) => {
                        tx.set_review_hidden(&id, None).await?;
                        shop.audit(tx, &admin, AdminAction::ReviewShown, &id, reason)
                            .await?;
                    }
                    _ => {}
                }
                tx.update_rating(&review.product, now_ms).await?;
                failpoint("moderating a review");
                let review = tx.review(&id).await?.ok_or_else(review_not_found)?;
                let edits = tx.review_edits(std::slice::from_ref(&id)).await?;
                Ok::<_, AppError>(with_edits(review, &edits))
            })
            .await;
        self.show_reviews(changed).await
    }
}

fn with_edits(review: Review, edits: &[ReviewEdit]) -> ListedReview {
    let own = edits.iter().filter(|edit| edit.review_id == review.id);
    ListedReview {
        edits: own.cloned().collect(),
        review,
    }
}
