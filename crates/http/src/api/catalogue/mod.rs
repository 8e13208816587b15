//! Products, search and pincodes for visitors; products, images and files of products for admins.

pub mod admin;
pub mod admin_types;
pub mod csv;
pub mod import_types;
pub mod pincode;
pub mod pincode_types;
pub mod product_list_query;
pub mod products;
pub mod types;
