//! The API: handlers and their request and response types, by subject.

pub mod cart;
pub mod catalogue;
pub mod customers;
pub mod invoices;
pub mod messages;
pub mod operations;
pub mod orders;
pub mod payments;
pub mod reports;
pub mod reviews;
pub mod shipping;
pub mod stock;
pub mod text;
pub mod types;
