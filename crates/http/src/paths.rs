//! Paths that several parts of this crate know.

pub const PRODUCT_REVIEWS: &str = "/api/products/{id}/reviews";
pub const REVIEW_IMAGE: &str = "/images/reviews/{file}";
pub const ADMIN_REVIEW_IMAGE: &str = "/api/admin/reviews/{id}/images/{file}";
pub const PROBLEM_IMAGE: &str = "/api/user/orders/{id}/problem-images/{file}";

/// The gateway sends the browser here after a payment. It is the only page below `/api/`.
pub const PAYMENT_REDIRECT: &str = "/api/payment/redirect";

/// Whether a path is answered with JSON.
pub fn is_api_path(path: &str) -> bool {
    (path == "/api" || path.starts_with("/api/")) && path != PAYMENT_REDIRECT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_redirect_of_the_gateway_is_a_page() {
        assert!(is_api_path("/api/nothing") && is_api_path("/api"));
        assert!(
            !is_api_path("/api/payment/redirect") && !is_api_path("/apiary") && !is_api_path("/")
        );
    }
}
