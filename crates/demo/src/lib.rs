//! The contents of a demo shop: its products and images, and a history of orders.

pub mod catalogue;
pub mod history;
