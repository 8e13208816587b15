//! The owner's calls. Every one of them is listed as Admin in the route list.

pub mod export;
pub mod orders;
pub mod page;
pub mod people;
pub mod products;
