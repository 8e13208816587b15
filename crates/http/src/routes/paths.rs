//! Paths that responses contain. They import nothing, so that all files can use them.

pub const PRODUCT_REVIEWS: &str = "/api/products/{id}/reviews";
pub const REVIEW_IMAGE: &str = "/images/reviews/{file}";
pub const ADMIN_REVIEW_IMAGE: &str = "/api/admin/reviews/{id}/images/{file}";
pub const PROBLEM_IMAGE: &str = "/api/user/orders/{id}/problem-images/{file}";
