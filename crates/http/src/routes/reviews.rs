//! Reviews: read by everyone, written by customers, replied to and hidden by admins.

use crate::api::reviews;
use crate::api::reviews::admin_types::{
    AdminReviewPageResponse, AdminReviewsQuery, ListedReviewResponse, ModerateReviewRequest,
};
use crate::api::reviews::types::{
    OwnReviewResponse, OwnReviewsQuery, OwnReviewsResponse, RequestedReviewsResponse, ReviewLink,
    ReviewPageResponse, ReviewsQuery, VoteRequest, VoteResponse,
};
use crate::api::types::SuccessResponse;
use crate::assets::images::ImageQuery;
use crate::extract::pagination;
use crate::guard::access::Access::{Admin, Public, User};
use crate::guard::rate_limit::limits::RateClass;
use crate::paths;
use crate::route_table::route::{Route, delete, get, post, put};

/// Three photos; one of them is in memory at a time.
const MAX_REVIEW_BODY: usize = 61 * 1024 * 1024;

pub fn reviews() -> Vec<Route> {
    vec![
        get(Public, paths::PRODUCT_REVIEWS, reviews::handlers::list)
            .summary("The reviews of a product, one page, with the distribution of stars")
            .query::<ReviewsQuery>()
            .response::<ReviewPageResponse>(),
        get(User, "/api/user/reviews", reviews::handlers::own)
            .summary("The customer's own reviews, and whether a product can be reviewed")
            .query::<OwnReviewsQuery>()
            .response::<OwnReviewsResponse>(),
        post(User, "/api/user/reviews", reviews::handlers::publish)
            .rate(RateClass::Review)
            .body_limit(MAX_REVIEW_BODY)
            .summary("Review a product that was received: a form, or JSON without photos")
            .request_form(&["productId", "stars", "text"], "images")
            .created()
            .response::<OwnReviewResponse>(),
        put(User, "/api/user/reviews/{id}", reviews::handlers::edit)
            .rate(RateClass::Review)
            .body_limit(MAX_REVIEW_BODY)
            .summary("Change the customer's own review")
            .request_form(&["stars", "text", "keepImages"], "images")
            .response::<OwnReviewResponse>(),
        delete(User, "/api/user/reviews/{id}", reviews::handlers::delete)
            .summary("Delete the customer's own review")
            .response::<SuccessResponse>(),
        put(
            User,
            "/api/user/reviews/{id}/helpful",
            reviews::handlers::vote,
        )
        .summary("Vote for another customer's review, or take the vote back")
        .request::<VoteRequest>()
        .response::<VoteResponse>(),
        // The token is not in the path, which is logged.
        get(Public, "/api/review-requests", reviews::handlers::requested)
            .summary("The products that an email asks about")
            .query::<ReviewLink>()
            .response::<RequestedReviewsResponse>(),
        post(
            Public,
            "/api/review-requests/stop",
            reviews::handlers::stop_requests,
        )
        .summary("Send this customer no more emails that ask for reviews")
        .request::<ReviewLink>()
        .response::<SuccessResponse>(),
        get(Public, paths::REVIEW_IMAGE, reviews::handlers::image)
            .summary("A photo of a review")
            .query::<ImageQuery>()
            .response_bytes("image/*"),
        get(Admin, "/api/admin/reviews", reviews::admin::list)
            .summary("Reviews, newest first, one page")
            .query::<AdminReviewsQuery>()
            .query::<pagination::PageQuery>()
            .response::<AdminReviewPageResponse>(),
        put(Admin, "/api/admin/reviews/{id}", reviews::admin::moderate)
            .summary("Reply to a review, hide it for a reason, or show it again")
            .request::<ModerateReviewRequest>()
            .response::<ListedReviewResponse>(),
        get(Admin, paths::ADMIN_REVIEW_IMAGE, reviews::admin::image)
            .summary("A photo of a review, also of a hidden one")
            .query::<ImageQuery>()
            .response_bytes("image/*"),
    ]
}
