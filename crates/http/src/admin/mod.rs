//! The owner's calls. Every one of them is listed as Admin in the route list.

pub mod messages;
pub mod orders;
pub mod orders_csv;
pub mod pagination;
pub mod products;
pub mod users;
