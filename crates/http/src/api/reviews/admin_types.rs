//! Reviews as admins see them.

use mirasa_app::AppError;
use mirasa_app::catalogue::Snapshot;
use mirasa_app::repository::reviews::ReviewFilter;
use mirasa_app::reviews::{AdminReviewPage, ListedReview, ReviewChange};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::reviews::types::{ReviewDto, ReviewEditDto, page_count, product_name};
use crate::api::types::to_iso8601;
use crate::paths::ADMIN_REVIEW_IMAGE;

/// A review with what an admin needs to reply to it or hide it.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedReview)]
#[serde(rename_all = "camelCase")]
pub struct ListedReviewDto {
    #[serde(flatten)]
    pub review: ReviewDto,
    pub product_id: String,
    pub product_name: String,
    pub order_id: String,
    pub customer_name: String,
    /// The email address of the admin who replied.
    #[schema(required)]
    pub replied_by: Option<String>,
    #[schema(required)]
    pub hidden_at: Option<String>,
    #[schema(required)]
    pub hidden_by: Option<String>,
    #[schema(required)]
    pub hidden_reason: Option<String>,
    /// Earlier texts, oldest first.
    pub edits: Vec<ReviewEditDto>,
}

impl ListedReviewDto {
    pub fn new(listed: ListedReview, snapshot: &Snapshot) -> ListedReviewDto {
        let review = listed.review;
        let url = |file: &String| {
            let path = ADMIN_REVIEW_IMAGE.replace("{id}", review.id.as_str());
            path.replace("{file}", file)
        };
        let hidden = review.hidden.clone();
        ListedReviewDto {
            product_id: review.product.0.clone(),
            product_name: product_name(snapshot, &review.product),
            order_id: review.order_id.0.clone(),
            customer_name: review.author.clone(),
            replied_by: review.reply.as_ref().map(|reply| reply.by.clone()),
            hidden_at: hidden.as_ref().map(|hidden| to_iso8601(hidden.at_ms)),
            hidden_by: hidden.as_ref().map(|hidden| hidden.by.clone()),
            hidden_reason: hidden.map(|hidden| hidden.reason),
            edits: listed.edits.into_iter().map(ReviewEditDto::from).collect(),
            review: ReviewDto {
                images: review.images.iter().map(url).collect(),
                ..review.into()
            },
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ListedReviewResponse {
    pub review: ListedReviewDto,
}

#[derive(Serialize, ToSchema)]
pub struct AdminReviewPageResponse {
    pub reviews: Vec<ListedReviewDto>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}

impl AdminReviewPageResponse {
    pub fn new(
        found: AdminReviewPage,
        snapshot: &Snapshot,
        page: i64,
        limit: i64,
    ) -> AdminReviewPageResponse {
        AdminReviewPageResponse {
            total: found.total,
            page,
            pages: page_count(found.total, limit),
            reviews: found
                .reviews
                .into_iter()
                .map(|listed| ListedReviewDto::new(listed, snapshot))
                .collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct AdminReviewsQuery {
    /// `all` (the default), `unanswered`, `critical` (1 or 2 stars) or `hidden`.
    #[param(pattern = "^(all|unanswered|critical|hidden)?$")]
    pub state: String,
}

impl AdminReviewsQuery {
    pub fn filter(&self) -> Result<ReviewFilter, AppError> {
        match self.state.as_str() {
            "" | "all" => Ok(ReviewFilter::All),
            "unanswered" => Ok(ReviewFilter::Unanswered),
            "critical" => Ok(ReviewFilter::Critical),
            "hidden" => Ok(ReviewFilter::Hidden),
            _ => Err(
                AppError::invalid("state must be all, unanswered, critical or hidden")
                    .with_field("state"),
            ),
        }
    }
}

/// What is not given stays as it is. What the customer wrote cannot be changed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ModerateReviewRequest {
    /// The shop's reply; an empty one deletes it.
    pub reply: Option<String>,
    pub hidden: Option<bool>,
    /// Why it is hidden. Required to hide it; the customer sees it.
    #[serde(default)]
    pub reason: String,
}

impl From<ModerateReviewRequest> for ReviewChange {
    fn from(body: ModerateReviewRequest) -> ReviewChange {
        ReviewChange {
            reply: body.reply,
            hidden: body.hidden,
            reason: body.reason,
        }
    }
}
