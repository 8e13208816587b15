//! Reviews: read by everyone, written and voted for by customers; the link of the email that asks for them.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest as _, Multipart, Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use http_body_util::Limited;
use mirasa_app::ports::images::{ImageFolder, ImageRequest, MAX_UPLOAD_BYTES};
use mirasa_app::reviews::{ReviewInput, too_many_images};
use mirasa_app::secret::Secret;
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{MAX_REVIEW_IMAGES, ReviewId};
use mirasa_domain::user::UserId;
use tokio::sync::OwnedSemaphorePermit;

use crate::api::orders::problems::{multipart_error, read_field, text};
use crate::api::reviews::types::{
    OwnReviewDto, OwnReviewResponse, OwnReviewsQuery, OwnReviewsResponse, RequestedReviewsResponse,
    ReviewLink, ReviewPageResponse, ReviewRequestBody, ReviewsQuery, VoteRequest, VoteResponse,
};
use crate::api::types::SuccessResponse;
use crate::assets::images::{ImageQuery, accepted_formats};
use crate::error::{ApiError, ApiResult};
use crate::extract::json::{Created, Json};
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::guard::upload_gate::Uploader;
use crate::state::AppState;

/// More than the longest text.
const MAX_TEXT_BYTES: usize = 64 * 1024;

pub async fn list(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(query): Query<ReviewsQuery>,
) -> ApiResult<Json<ReviewPageResponse>> {
    let (sort, (page, limit)) = (query.sort()?, query.page()?);
    let found = state
        .shop
        .reviews_of(ProductId(id), sort, (page - 1) * limit, limit)
        .await?;
    Ok(Json(ReviewPageResponse::new(found, page, limit)))
}

pub async fn own(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Query(query): Query<OwnReviewsQuery>,
) -> ApiResult<Json<OwnReviewsResponse>> {
    let product = Some(ProductId(query.product_id)).filter(|product| !product.0.is_empty());
    let own = state.shop.own_reviews(&user.id, product).await?;
    let snapshot = state.shop.catalogue.snapshot();
    Ok(Json(OwnReviewsResponse::new(own, &snapshot)))
}

/// JSON, or a form with photos. No photo is decoded for a new review that its author may not write.
async fn read_review(
    state: &AppState,
    request: Request,
    author_of_new: Option<&UserId>,
) -> Result<(ProductId, ReviewInput), AppError> {
    if !is_form(request.headers()) {
        let request = request.map(|body| Body::new(Limited::new(body, MAX_TEXT_BYTES)));
        let Json(body) = Json::<ReviewRequestBody>::from_request(request, state)
            .await
            .map_err(|ApiError(error)| error)?;
        let (product, input) = body.into_input();
        check_new(state, author_of_new, &product).await?;
        return Ok((product, input));
    }
    let gate = state
        .upload_gate
        .enter(Uploader::Customer, request.headers());
    let body_memory = Arc::new(gate.await?);
    let form = Multipart::from_request(request, state).await;
    let form = form.map_err(|_| AppError::invalid("The upload could not be read"))?;
    let mut images = Vec::new();
    match read_form(state, form, &body_memory, &mut images, author_of_new).await {
        Ok(body) => {
            let (product, mut input) = body.into_input();
            input.new_images = images;
            Ok((product, input))
        }
        Err(error) => {
            state.shop.delete_review_images(&images).await;
            Err(error)
        }
    }
}

async fn check_new(
    state: &AppState,
    author: Option<&UserId>,
    product: &ProductId,
) -> Result<(), AppError> {
    let Some(author) = author else {
        return Ok(());
    };
    if product.0.is_empty() {
        return Err(AppError::invalid("productId is required").with_field("productId"));
    }
    state.shop.check_can_review(author, product.clone()).await
}

fn is_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"))
}

/// Photos are stored as they arrive, so that one of them is in memory at a time. The texts come before them.
async fn read_form(
    state: &AppState,
    mut form: Multipart,
    body_memory: &Arc<OwnedSemaphorePermit>,
    images: &mut Vec<String>,
    author_of_new: Option<&UserId>,
) -> Result<ReviewRequestBody, AppError> {
    let mut body = ReviewRequestBody::default();
    let mut is_checked = false;
    while let Some(mut field) = form.next_field().await.map_err(multipart_error)? {
        let name = match field.name() {
            Some("productId") => "productId",
            Some("stars") => "stars",
            Some("text") => "text",
            Some("keepImages") => "keepImages",
            Some("images") => "images",
            _ => continue,
        };
        if name == "images" {
            if !is_checked {
                check_new(state, author_of_new, &ProductId(body.product_id.clone())).await?;
                is_checked = true;
            }
            let too_large = || {
                let message = "A photo is larger than 20 MB or 50 megapixels";
                AppError::new(ErrorCode::ImageTooLarge, message).with_field("images")
            };
            let bytes = read_field(&mut field, MAX_UPLOAD_BYTES, too_large).await?;
            // A form without a photo has an empty file.
            if bytes.is_empty() {
                continue;
            }
            if images.len() == MAX_REVIEW_IMAGES {
                return Err(too_many_images());
            }
            let (shop, body_memory) = (state.shop.clone(), Arc::clone(body_memory));
            let storing = tokio::spawn(async move {
                let _body_memory = body_memory;
                shop.store_review_image(bytes).await
            });
            images.push(storing.await.map_err(AppError::internal)??);
            continue;
        }
        let too_long = || AppError::invalid(format!("{name} is too long")).with_field(name);
        let value = text(
            name,
            read_field(&mut field, MAX_TEXT_BYTES, too_long).await?,
        )?;
        let invalid = |rule: &str| AppError::invalid(format!("{name} {rule}")).with_field(name);
        match name {
            "productId" => body.product_id = value,
            "stars" => {
                let stars = value.trim().parse();
                let rule = "must be a whole number from 1 to 5";
                body.stars = stars.map_err(|_| invalid(rule))?;
            }
            "keepImages" => {
                let kept = serde_json::from_str(&value);
                body.keep_images = Some(kept.map_err(|_| invalid("must be a list of URLs"))?);
            }
            _ => body.text = value,
        }
    }
    if !is_checked {
        check_new(state, author_of_new, &ProductId(body.product_id.clone())).await?;
    }
    Ok(body)
}

pub async fn publish(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    request: Request,
) -> ApiResult<Created<OwnReviewResponse>> {
    let (product, input) = read_review(&state, request, Some(&user.id)).await?;
    let review = state.shop.publish_review(&user.id, product, input).await?;
    let review = OwnReviewDto::new(review, &state.shop.catalogue.snapshot());
    Ok(Created(OwnReviewResponse { review }))
}

pub async fn edit(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<ReviewId>,
    request: Request,
) -> ApiResult<Json<OwnReviewResponse>> {
    // Nothing is decoded for a review that is not the customer's.
    state.shop.own_review(&user.id, id.clone()).await?;
    let (_, input) = read_review(&state, request, None).await?;
    let review = state.shop.edit_review(&user.id, id, input).await?;
    let review = OwnReviewDto::new(review, &state.shop.catalogue.snapshot());
    Ok(Json(OwnReviewResponse { review }))
}

pub async fn delete(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<ReviewId>,
) -> ApiResult<Json<SuccessResponse>> {
    state.shop.delete_review(&user.id, id).await?;
    Ok(Json(SuccessResponse { success: true }))
}

pub async fn vote(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<ReviewId>,
    Json(body): Json<VoteRequest>,
) -> ApiResult<Json<VoteResponse>> {
    let review = state
        .shop
        .vote_for_review(&user.id, id, body.helpful)
        .await?;
    let helpful = review.helpful;
    Ok(Json(VoteResponse { helpful }))
}

/// A photo of a review that everyone sees.
pub async fn image(
    State(state): State<AppState>,
    headers: HeaderMap,
    Path(file): Path<String>,
    Query(query): Query<ImageQuery>,
) -> ApiResult<Response> {
    if !state.shop.is_public_review_photo(file.clone()).await? {
        return Err(no_image().into());
    }
    // Not for long: the review may be hidden.
    photo(&state, &headers, file, query.width(), "public, max-age=300").await
}

pub async fn photo(
    state: &AppState,
    headers: &HeaderMap,
    file: String,
    width: Option<u32>,
    cache_control: &'static str,
) -> ApiResult<Response> {
    let request = ImageRequest {
        folder: ImageFolder::Reviews,
        file,
        width,
        formats: accepted_formats(headers),
    };
    let found = state.shop.images.get(request).await;
    let photo = found.map_err(AppError::internal)?.ok_or_else(no_image)?;
    let headers = [
        (header::CONTENT_TYPE, photo.content_type),
        (
            header::CACHE_CONTROL,
            // A substitute: the requested rendition is being made.
            if photo.exact {
                cache_control
            } else {
                "no-cache"
            },
        ),
        (header::VARY, "accept"),
    ];
    Ok((headers, photo.bytes).into_response())
}

pub fn no_image() -> AppError {
    AppError::not_found("There is no such picture")
}

pub async fn requested(
    State(state): State<AppState>,
    Query(link): Query<ReviewLink>,
) -> ApiResult<Json<RequestedReviewsResponse>> {
    let token = Secret::from_text(&link.token);
    let requested = state.shop.requested_reviews(token).await?;
    let snapshot = state.shop.catalogue.snapshot();
    Ok(Json(RequestedReviewsResponse::new(requested, &snapshot)))
}

pub async fn stop_requests(
    State(state): State<AppState>,
    Json(link): Json<ReviewLink>,
) -> ApiResult<Json<SuccessResponse>> {
    let token = Secret::from_text(&link.token);
    state.shop.stop_review_requests(token).await?;
    Ok(Json(SuccessResponse { success: true }))
}
