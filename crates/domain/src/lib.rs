//! The rules of the shop: money, packs, stock, carts, addresses, people.
//!
//! Nothing here does IO, waits, reads a clock or knows SQL: the manifest does not have the means.

pub mod address;
pub mod cart;
pub mod end_reason;
pub mod money;
pub mod order;
pub mod pack;
pub mod product;
pub mod stock;
pub mod user;
pub mod validation;
