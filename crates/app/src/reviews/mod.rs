//! Reviews: customers who received a product write one, others read it and vote for it.

mod moderation;
mod requests;

use mirasa_domain::cart::CartError;
use mirasa_domain::product::ProductId;
use mirasa_domain::rating::Rating;
use mirasa_domain::review::{MAX_REVIEW_CHARS, MAX_REVIEW_IMAGES, Review, ReviewId, Stars};
use mirasa_domain::user::{User, UserId};
use mirasa_domain::validation;

use crate::ports::images::ImageFolder;
use crate::repository::reviews::ReviewSort;
use crate::repository::{StoreError, Transaction};
pub use crate::reviews::moderation::{AdminReviewPage, ListedReview, ReviewChange};
pub use crate::reviews::requests::{RequestedProduct, RequestedReviews};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

/// What a customer writes.
#[derive(Debug, Clone, Default)]
pub struct ReviewInput {
    pub stars: i64,
    pub text: String,
    /// Photos of the review that stay; the others are deleted. None keeps all.
    pub kept_images: Option<Vec<String>>,
    /// Names of images that have been stored for it.
    pub new_images: Vec<String>,
}

/// A page of a product's reviews.
#[derive(Debug)]
pub struct ReviewPage {
    pub reviews: Vec<Review>,
    /// Of all pages.
    pub rating: Rating,
}

/// What a customer can do with the reviews of a product.
#[derive(Debug, Default)]
pub struct OwnReviews {
    pub reviews: Vec<Review>,
    /// The customer received the product and has not reviewed it.
    pub can_review: bool,
    /// The reviews of the product that the customer has voted for.
    pub votes: Vec<ReviewId>,
}

impl Shop {
    /// The visible reviews of a visible product.
    pub async fn reviews_of(
        &self,
        product: ProductId,
        sort: ReviewSort,
        offset: i64,
        limit: i64,
    ) -> Result<ReviewPage, AppError> {
        let snapshot = self.catalogue.snapshot();
        let found = snapshot.find_visible(&product);
        let rating = found.ok_or(CartError::ProductNotFound)?.rating;
        if rating.count() <= offset {
            return Ok(ReviewPage {
                reviews: Vec::new(),
                rating,
            });
        }
        let reviews = self
            .db
            .read(async move |db| {
                let found = db.visible_reviews(&product, sort, offset, limit).await?;
                Ok::<_, AppError>(found)
            })
            .await?;
        Ok(ReviewPage { reviews, rating })
    }

    /// A customer's own reviews: all, or that of one product with what the customer may do there.
    pub async fn own_reviews(
        &self,
        user: &UserId,
        product: Option<ProductId>,
    ) -> Result<OwnReviews, AppError> {
        let user = user.clone();
        self.db
            .read(async move |db| {
                let mut reviews = db.reviews_by(&user).await?;
                let Some(product) = product else {
                    return Ok(OwnReviews {
                        reviews,
                        ..OwnReviews::default()
                    });
                };
                reviews.retain(|review| review.product == product);
                let received = db.order_with_received(&user, &product).await?;
                Ok(OwnReviews {
                    can_review: reviews.is_empty() && received.is_some(),
                    votes: db.votes_by(&user, &product).await?,
                    reviews,
                })
            })
            .await
    }

    /// Checked before photos are read, and again with the review.
    pub async fn check_can_review(
        &self,
        user: &UserId,
        product: ProductId,
    ) -> Result<(), AppError> {
        let own = self.own_reviews(user, Some(product)).await?;
        match (own.can_review, own.reviews.is_empty()) {
            (true, _) => Ok(()),
            (false, false) => Err(already_reviewed()),
            (false, true) => Err(not_received()),
        }
    }

    /// Stores one photo of a review, without its metadata, and returns its name.
    pub async fn store_review_image(&self, bytes: Vec<u8>) -> Result<String, AppError> {
        let name = format!("{}.webp", self.ids.new_id());
        let stored = self
            .images
            .import(ImageFolder::Reviews, &name, true, bytes)
            .await;
        Ok(stored.map_err(|error| error.for_field("images"))?.file)
    }

    /// Failures are only logged: nothing refers to the images.
    pub async fn delete_review_images(&self, files: &[String]) {
        for file in files {
            if let Err(error) = self.images.delete(ImageFolder::Reviews, file).await {
                let error = format!("{error:#}");
                tracing::error!(file, error, "a photo of a review could not be deleted");
            }
        }
    }

    /// Whether a photo belongs to a review that everyone sees.
    pub async fn is_public_review_photo(&self, file: String) -> Result<bool, AppError> {
        self.db
            .point_read(async move |db| Ok(db.is_public_review_photo(&file).await?))
            .await
    }

    /// If the review cannot be saved, its new photos are deleted.
    pub async fn publish_review(
        &self,
        user: &UserId,
        product: ProductId,
        input: ReviewInput,
    ) -> Result<Review, AppError> {
        let images = input.new_images.clone();
        let saved = self.insert_new_review(user, product, input).await;
        if saved.is_err() {
            self.delete_review_images(&images).await;
        }
        self.show_reviews(saved).await
    }

    async fn insert_new_review(
        &self,
        user: &UserId,
        product: ProductId,
        input: ReviewInput,
    ) -> Result<Review, AppError> {
        let (stars, text) = validate(&input)?;
        check_image_count(input.new_images.len())?;
        let (shop, user, now_ms) = (self.clone(), user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let user = lock_customer(tx, &user).await?;
                tx.lock_products(std::slice::from_ref(&product)).await?;
                let received = tx.order_with_received(&user.id, &product).await?;
                let review = Review {
                    id: shop.ids.new_id().into(),
                    order_id: received.ok_or_else(not_received)?,
                    user: user.id,
                    author: user.name,
                    stars,
                    text,
                    images: input.new_images,
                    helpful: 0,
                    created_at_ms: now_ms,
                    edited_at_ms: None,
                    reply: None,
                    hidden: None,
                    product,
                };
                tx.insert_review(&review)
                    .await
                    .map_err(|error| match error {
                        StoreError::Constraint(_) => already_reviewed(),
                        other => other.into(),
                    })?;
                tx.update_rating(&review.product, now_ms).await?;
                failpoint("publishing a review");
                Ok::<_, AppError>(review)
            })
            .await
    }

    /// The customer's own review, for an edit. Checked before photos are read, and again with the edit.
    pub async fn own_review(&self, user: &UserId, id: ReviewId) -> Result<Review, AppError> {
        let user = user.clone();
        self.db
            .read(async move |db| {
                let review = db.review(&id).await?;
                let own = review.filter(|review| review.user == user);
                own.ok_or_else(review_not_found)
            })
            .await
    }

    /// What the review said before is kept for admins. A hidden review stays hidden.
    pub async fn edit_review(
        &self,
        user: &UserId,
        id: ReviewId,
        input: ReviewInput,
    ) -> Result<Review, AppError> {
        let images = input.new_images.clone();
        let saved = self.save_edited_review(user, id, input).await;
        let (saved, unused) = match saved {
            Ok((review, removed)) => (Ok(review), removed),
            Err(error) => (Err(error), images),
        };
        self.delete_review_images(&unused).await;
        self.show_reviews(saved).await
    }

    /// Also returns the photos that the review no longer has.
    async fn save_edited_review(
        &self,
        user: &UserId,
        id: ReviewId,
        input: ReviewInput,
    ) -> Result<(Review, Vec<String>), AppError> {
        let (stars, text) = validate(&input)?;
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                lock_customer(tx, &user).await?;
                let before = lock_own_review(tx, &user, &id).await?;
                let is_kept = |file: &String| {
                    let kept = input.kept_images.as_ref();
                    kept.is_none_or(|kept| kept.contains(file))
                };
                let (mut images, removed): (Vec<_>, Vec<_>) =
                    before.images.iter().cloned().partition(is_kept);
                images.extend(input.new_images);
                check_image_count(images.len())?;
                let after = Review {
                    stars,
                    text,
                    images,
                    ..before.clone()
                };
                if after == before {
                    return Ok((before, removed));
                }
                let after = Review {
                    edited_at_ms: Some(now_ms),
                    ..after
                };
                tx.update_review(&before, &after).await?;
                tx.update_rating(&after.product, now_ms).await?;
                failpoint("editing a review");
                Ok::<_, AppError>((after, removed))
            })
            .await
    }

    /// A hidden review cannot be deleted: the customer could publish it again.
    pub async fn delete_review(&self, user: &UserId, id: ReviewId) -> Result<(), AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        let deleted = self
            .db
            .write(async move |tx| {
                let review = lock_own_review(tx, &user, &id).await?;
                if review.hidden.is_some() {
                    return Err(AppError::new(
                        ErrorCode::ReviewHidden,
                        "The shop has hidden this review. Please write to us about it.",
                    ));
                }
                tx.delete_review(&id).await?;
                tx.update_rating(&review.product, now_ms).await?;
                Ok::<_, AppError>(review)
            })
            .await;
        let deleted = self.show_reviews(deleted).await?;
        self.delete_review_images(&deleted.images).await;
        Ok(())
    }

    /// One vote of each customer, and none for one's own review. Returns the review with its votes.
    pub async fn vote_for_review(
        &self,
        user: &UserId,
        id: ReviewId,
        helpful: bool,
    ) -> Result<Review, AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                lock_customer(tx, &user).await?;
                tx.lock_review(&id).await?;
                let review = tx.review(&id).await?;
                let visible = review.filter(|review| review.hidden.is_none());
                let review = visible.ok_or_else(review_not_found)?;
                if review.user == user {
                    let message = "You cannot vote for your own review";
                    return Err(AppError::new(ErrorCode::OwnReview, message));
                }
                tx.set_review_vote(&id, &user, helpful, now_ms).await?;
                tx.review(&id).await?.ok_or_else(review_not_found)
            })
            .await
    }

    /// Shows the new rating in the catalogue of this instance. The others see it with their next refresh.
    async fn show_reviews<T>(&self, changed: Result<T, AppError>) -> Result<T, AppError> {
        let changed = changed?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(changed)
    }
}

fn validate(input: &ReviewInput) -> Result<(Stars, String), AppError> {
    let stars = Stars::new(input.stars)?;
    let text = input.text.replace("\r\n", "\n");
    Ok((
        stars,
        validation::multi_line("text", &text, MAX_REVIEW_CHARS)?,
    ))
}

fn check_image_count(count: usize) -> Result<(), AppError> {
    if count > MAX_REVIEW_IMAGES {
        return Err(too_many_images());
    }
    Ok(())
}

pub fn too_many_images() -> AppError {
    AppError::invalid(format!("At most {MAX_REVIEW_IMAGES} photos")).with_field("images")
}

/// An account that is being deleted gets no more reviews and votes.
async fn lock_customer(tx: &mut dyn Transaction, id: &UserId) -> Result<User, AppError> {
    tx.lock_user(id).await?;
    tx.user(id).await?.ok_or_else(AppError::not_authenticated)
}

/// With its product, whose rating changes with the review.
async fn lock_own_review(
    tx: &mut dyn Transaction,
    user: &UserId,
    id: &ReviewId,
) -> Result<Review, AppError> {
    let own = |review: Option<Review>| {
        let own = review.filter(|review| review.user == *user);
        own.ok_or_else(review_not_found)
    };
    let found = own(tx.review(id).await?)?;
    tx.lock_products(std::slice::from_ref(&found.product))
        .await?;
    tx.lock_review(id).await?;
    own(tx.review(id).await?)
}

fn review_not_found() -> AppError {
    AppError::new(ErrorCode::ReviewNotFound, "There is no such review")
}

fn already_reviewed() -> AppError {
    let message = "You have reviewed this product. You can change your review.";
    AppError::new(ErrorCode::AlreadyReviewed, message)
}

fn not_received() -> AppError {
    let message = "Only customers who received this product can review it.";
    AppError::new(ErrorCode::ProductNotReceived, message)
}
