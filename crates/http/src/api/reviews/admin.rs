//! Reviews in the admin area: the list, replies, hiding.

use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use mirasa_domain::review::ReviewId;

use crate::api::reviews::admin_types::{
    AdminReviewPageResponse, AdminReviewsQuery, ListedReviewDto, ListedReviewResponse,
    ModerateReviewRequest,
};
use crate::api::reviews::handlers::{no_image, photo};
use crate::assets::images::ImageQuery;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<AdminReviewsQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<AdminReviewPageResponse>> {
    let (filter, page) = (query.filter()?, part.page()?);
    let found = state
        .shop
        .reviews_for_admins(filter, page.skip(), page.limit)
        .await?;
    let snapshot = state.shop.catalogue.snapshot();
    Ok(Json(AdminReviewPageResponse::new(
        found,
        &snapshot,
        page.number,
        page.limit,
    )))
}

pub async fn moderate(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<ReviewId>,
    Json(body): Json<ModerateReviewRequest>,
) -> ApiResult<Json<ListedReviewResponse>> {
    let listed = state.shop.moderate_review(&admin, id, body.into()).await?;
    let review = ListedReviewDto::new(listed, &state.shop.catalogue.snapshot());
    Ok(Json(ListedReviewResponse { review }))
}

/// A photo, also of a hidden review.
pub async fn image(
    State(state): State<AppState>,
    headers: HeaderMap,
    Path((id, file)): Path<(ReviewId, String)>,
    Query(query): Query<ImageQuery>,
) -> ApiResult<Response> {
    let photos = state.shop.review_photos(id).await?;
    if !photos.contains(&file) {
        return Err(no_image().into());
    }
    photo(
        &state,
        &headers,
        file,
        query.width(),
        "private, max-age=300",
    )
    .await
}
