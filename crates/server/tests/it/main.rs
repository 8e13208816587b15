//! Integration tests: each starts the real server and sends it HTTP requests, on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, clippy::expect_used)]
// Amounts in paise are written as 65_50, so that the rupees are readable.
#![allow(clippy::inconsistent_digit_grouping)]

mod harness;

mod access_control;
mod addresses;
mod admin_emails;
mod admin_orders;
mod admin_orders_csv;
mod admin_product_edits;
mod admin_products;
mod admin_uploads;
mod admin_users;
mod after_sale_crashes;
mod cancellation;
mod cart;
mod cart_input;
mod checkout;
mod checkout_crashes;
mod checkout_gateway_failures;
mod checkout_races;
mod cli;
mod cross_user_access;
mod csrf;
mod docs_links;
mod ended_orders;
mod error_codes;
mod error_fields;
mod errors;
mod fast_path;
mod headers_and_health;
mod image_hosts;
mod log_redaction;
mod mass_assignment;
mod messages;
mod metric_names;
mod open_redirects;
mod order_items;
mod overload;
mod owner_notifications;
mod pages;
mod path_traversal;
mod privacy;
mod problems;
mod products;
mod profile;
mod rate_limits;
mod refunds;
mod request_smuggling;
mod reservations;
mod s3_images;
mod sandbox_pages;
mod shared_rate_limits;
mod sign_in;
mod ssrf;
mod supervision;
mod systemd_units;
mod untrusted_input;
mod wishlist;
mod xss;
mod zero_price;
