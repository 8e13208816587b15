//! Paths that responses contain. They import nothing, so that all files can use them.

pub const PROBLEM_IMAGE: &str = "/api/user/orders/{id}/problem-images/{file}";
