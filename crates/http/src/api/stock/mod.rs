//! Stock, batches and requests to be told when a product is back.

pub mod admin;
pub mod batch_types;
pub mod batches;
pub mod notice_types;
pub mod notices;
pub mod types;
