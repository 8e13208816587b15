//! Reviews.

use mirasa_app::AppError;
use mirasa_app::catalogue::Snapshot;
use mirasa_app::repository::reviews::{ReviewEdit, ReviewSort};
use mirasa_app::reviews::{OwnReviews, RequestedReviews, ReviewInput, ReviewPage};
use mirasa_domain::order::short_id;
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{Review, public_name};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::catalogue::types::first_image;
use crate::api::reviews::rating::RatingDto;
use crate::api::types::to_iso8601;
use crate::paths::REVIEW_IMAGE;

/// What the shop has written below a review.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewReply)]
pub struct ReviewReplyDto {
    pub text: String,
    pub at: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Review)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDto {
    #[serde(rename = "_id")]
    pub id: String,
    /// 1 to 5.
    pub stars: u8,
    pub text: String,
    /// URLs.
    pub images: Vec<String>,
    /// The first name and the initial of the last one.
    pub author: String,
    pub created_at: String,
    #[schema(required)]
    pub edited_at: Option<String>,
    /// How many customers found it helpful.
    pub helpful: i64,
    #[schema(required)]
    pub reply: Option<ReviewReplyDto>,
}

impl From<Review> for ReviewDto {
    fn from(review: Review) -> ReviewDto {
        let url = |file: &String| REVIEW_IMAGE.replace("{file}", file);
        ReviewDto {
            images: review.images.iter().map(url).collect(),
            author: public_name(&review.author),
            created_at: to_iso8601(review.created_at_ms),
            edited_at: review.edited_at_ms.map(to_iso8601),
            reply: review.reply.map(|reply| ReviewReplyDto {
                text: reply.text,
                at: to_iso8601(reply.at_ms),
            }),
            id: review.id.0,
            stars: review.stars.get(),
            text: review.text,
            helpful: review.helpful,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReviewPage)]
pub struct ReviewPageResponse {
    pub reviews: Vec<ReviewDto>,
    /// Null below three reviews.
    #[schema(required)]
    pub rating: Option<RatingDto>,
    /// How many reviews have 1, 2, 3, 4 and 5 stars.
    pub distribution: [i64; 5],
    /// On all pages.
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}

impl ReviewPageResponse {
    pub fn new(found: ReviewPage, page: i64, limit: i64) -> ReviewPageResponse {
        let total = found.rating.count();
        ReviewPageResponse {
            reviews: found.reviews.into_iter().map(ReviewDto::from).collect(),
            rating: RatingDto::shown(&found.rating),
            distribution: found.rating.by_stars,
            total,
            page,
            pages: page_count(total, limit),
        }
    }
}

pub(super) fn page_count(total: i64, limit: i64) -> i64 {
    ((total + limit - 1) / limit).max(1)
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct ReviewsQuery {
    /// `newest` (the default) or `helpful`.
    #[param(pattern = "^(newest|helpful)?$")]
    pub sort: String,
    #[param(minimum = 1, maximum = 100000)]
    pub page: Option<i64>,
    /// 1 to 50; 5 where it is not given.
    #[param(minimum = 1, maximum = 50)]
    pub limit: Option<i64>,
}

/// As many as a product's page shows at first.
pub const REVIEWS_PER_PAGE: i64 = 5;

impl ReviewsQuery {
    pub fn sort(&self) -> Result<ReviewSort, AppError> {
        match self.sort.as_str() {
            "" | "newest" => Ok(ReviewSort::Newest),
            "helpful" => Ok(ReviewSort::Helpful),
            _ => Err(AppError::invalid("sort must be newest or helpful").with_field("sort")),
        }
    }

    /// The number of the page and how many reviews it has.
    pub fn page(&self) -> Result<(i64, i64), AppError> {
        let (page, limit) = (
            self.page.unwrap_or(1),
            self.limit.unwrap_or(REVIEWS_PER_PAGE),
        );
        let message = "page must be from 1 to 100000, limit from 1 to 50";
        if !(1..=100_000).contains(&page) {
            return Err(AppError::invalid(message).with_field("page"));
        }
        if !(1..=50).contains(&limit) {
            return Err(AppError::invalid(message).with_field("limit"));
        }
        Ok((page, limit))
    }
}

/// A customer's own review.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnReview)]
#[serde(rename_all = "camelCase")]
pub struct OwnReviewDto {
    #[serde(flatten)]
    pub review: ReviewDto,
    pub product_id: String,
    pub product_name: String,
    /// Why the shop has hidden it; null if it is visible.
    #[schema(required)]
    pub hidden_reason: Option<String>,
}

impl OwnReviewDto {
    pub fn new(review: Review, snapshot: &Snapshot) -> OwnReviewDto {
        OwnReviewDto {
            product_id: review.product.0.clone(),
            product_name: product_name(snapshot, &review.product),
            hidden_reason: review.hidden.as_ref().map(|hidden| hidden.reason.clone()),
            review: review.into(),
        }
    }
}

/// A deleted product has no name any more; its id was made from it.
pub(crate) fn product_name(snapshot: &Snapshot, id: &ProductId) -> String {
    snapshot.find(id).map_or_else(
        || id.0.clone(),
        |product| product.details.product_name.clone(),
    )
}

#[derive(Serialize, ToSchema)]
pub struct OwnReviewResponse {
    pub review: OwnReviewDto,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReviewsResponse {
    pub reviews: Vec<OwnReviewDto>,
    /// The customer received the product and has not reviewed it. False if the request names no product.
    pub can_review: bool,
    /// The ids of the product's reviews that the customer found helpful.
    pub helpful: Vec<String>,
}

impl OwnReviewsResponse {
    pub fn new(own: OwnReviews, snapshot: &Snapshot) -> OwnReviewsResponse {
        OwnReviewsResponse {
            reviews: own
                .reviews
                .into_iter()
                .map(|review| OwnReviewDto::new(review, snapshot))
                .collect(),
            can_review: own.can_review,
            helpful: own.votes.into_iter().map(|review| review.0).collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(rename_all = "camelCase")]
pub struct OwnReviewsQuery {
    /// Only the review of this product.
    pub product_id: String,
}

/// A review without photos. A form with the same fields can have photos in `images`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewRequestBody {
    /// Required for a new review; an edit does not change it.
    #[serde(default)]
    pub product_id: String,
    /// 1 to 5.
    pub stars: i64,
    #[serde(default)]
    pub text: String,
    /// The URLs of photos that stay; the others are deleted. All stay where it is not given.
    pub keep_images: Option<Vec<String>>,
}

impl ReviewRequestBody {
    pub fn into_input(self) -> (ProductId, ReviewInput) {
        let file = |url: String| {
            let name = url.rsplit('/').next().unwrap_or_default();
            name.to_owned()
        };
        let input = ReviewInput {
            stars: self.stars,
            text: self.text,
            kept_images: self
                .keep_images
                .map(|urls| urls.into_iter().map(file).collect()),
            new_images: Vec::new(),
        };
        (ProductId(self.product_id), input)
    }
}

#[derive(Deserialize, ToSchema)]
pub struct VoteRequest {
    pub helpful: bool,
}

#[derive(Serialize, ToSchema)]
pub struct VoteResponse {
    /// How many customers found the review helpful.
    pub helpful: i64,
}

/// The link of an email that asks for reviews.
#[derive(Deserialize, IntoParams, ToSchema)]
pub struct ReviewLink {
    /// The token of the link.
    pub token: String,
}

/// A product that the customer is asked about.
#[derive(Serialize, ToSchema)]
#[schema(as = RequestedProduct)]
#[serde(rename_all = "camelCase")]
pub struct RequestedProductDto {
    pub product_id: String,
    pub product_name: String,
    pub image: String,
    /// What the customer has given it, or null.
    #[schema(required)]
    pub stars: Option<u8>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedReviewsResponse {
    pub order_number: String,
    pub products: Vec<RequestedProductDto>,
    /// The customer does not want to be asked again.
    pub stopped: bool,
}

impl RequestedReviewsResponse {
    pub fn new(requested: RequestedReviews, snapshot: &Snapshot) -> RequestedReviewsResponse {
        let products = requested.products.into_iter().filter_map(|requested| {
            let product = snapshot.find_visible(&requested.id)?;
            Some(RequestedProductDto {
                product_id: requested.id.0,
                product_name: product.details.product_name.clone(),
                image: first_image(product),
                stars: requested.stars.map(|stars| stars.get()),
            })
        });
        RequestedReviewsResponse {
            order_number: short_id(&requested.order_id),
            products: products.collect(),
            stopped: requested.stopped,
        }
    }
}

/// What a review said before an edit.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewEdit)]
#[serde(rename_all = "camelCase")]
pub struct ReviewEditDto {
    pub stars: u8,
    pub text: String,
    pub replaced_at: String,
}

impl From<ReviewEdit> for ReviewEditDto {
    fn from(edit: ReviewEdit) -> ReviewEditDto {
        ReviewEditDto {
            stars: edit.stars.get(),
            text: edit.text,
            replaced_at: to_iso8601(edit.replaced_at_ms),
        }
    }
}
