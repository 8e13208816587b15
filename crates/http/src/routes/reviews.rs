//! Reviews: read by everyone, written by customers, replied to and hidden by admins.

use mirasa_app::ErrorKind::{Conflict, NotFound, UnsupportedMediaType};

use crate::api::reviews;
use crate::guard::access::Access::{Admin, Public, User};
use crate::guard::rate_limit::limits::RateClass;
use crate::paths;
use crate::route_table::route::{Route, delete, get, post, put};

/// Three photos; one of them is in memory at a time.
const MAX_REVIEW_BODY: usize = 61 * 1024 * 1024;

pub fn reviews() -> Vec<Route> {
    vec![
        get(Public, paths::PRODUCT_REVIEWS, reviews::handlers::list)
            .summary("The reviews of a product, one page, with the distribution of stars"),
        get(User, "/api/user/reviews", reviews::handlers::own)
            .summary("The customer's own reviews, and whether a product can be reviewed"),
        post(User, "/api/user/reviews", reviews::handlers::publish)
            .rate(RateClass::Review)
            .body_limit(MAX_REVIEW_BODY)
            .summary("Review a product that was received: a form, or JSON without photos")
            .errors([NotFound, Conflict, UnsupportedMediaType])
            .request_form(&["productId", "stars", "text"], "images"),
        put(User, "/api/user/reviews/{id}", reviews::handlers::edit)
            .rate(RateClass::Review)
            .body_limit(MAX_REVIEW_BODY)
            .summary("Change the customer's own review")
            .errors([UnsupportedMediaType])
            .request_form(&["stars", "text", "keepImages"], "images"),
        delete(User, "/api/user/reviews/{id}", reviews::handlers::delete)
            .summary("Delete the customer's own review")
            .errors([Conflict]),
        put(
            User,
            "/api/user/reviews/{id}/helpful",
            reviews::handlers::vote,
        )
        .summary("Vote for another customer's review, or take the vote back")
        .errors([Conflict]),
        // The token is not in the path, which is logged.
        get(Public, "/api/review-requests", reviews::handlers::requested)
            .summary("The products that an email asks about")
            .errors([NotFound]),
        post(
            Public,
            "/api/review-requests/stop",
            reviews::handlers::stop_requests,
        )
        .summary("Send this customer no more emails that ask for reviews")
        .errors([NotFound]),
        get(Public, paths::REVIEW_IMAGE, reviews::handlers::image)
            .summary("A photo of a review")
            .response_bytes("image/*"),
        get(Admin, "/api/admin/reviews", reviews::admin::list)
            .summary("Reviews, newest first, one page"),
        put(Admin, "/api/admin/reviews/{id}", reviews::admin::moderate)
            .summary("Reply to a review, hide it for a reason, or show it again"),
        get(Admin, paths::ADMIN_REVIEW_IMAGE, reviews::admin::image)
            .summary("A photo of a review, also of a hidden one")
            .response_bytes("image/*"),
    ]
}
