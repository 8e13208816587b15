//! Carts, discounts and wishlists.

pub mod discount_types;
pub mod discounts;
pub mod handlers;
pub mod types;
pub mod wishlist;
