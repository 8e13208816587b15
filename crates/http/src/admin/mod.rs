//! Handlers for admins. The route table gives all of their routes the access level `Admin`.

pub mod batches;
pub mod discounts;
pub mod invoices;
pub mod messages;
pub mod orders;
pub mod orders_csv;
pub mod overview;
pub mod pagination;
pub mod problems;
pub mod products;
pub mod products_csv;
pub mod reviews;
pub mod shipments;
pub mod stock;
pub mod to_do;
pub mod users;
