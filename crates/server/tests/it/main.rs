//! The whole program, as its visitors meet it: started for real, asked over HTTP, on both engines.

#![allow(clippy::unwrap_used, clippy::expect_used)]
// Paise are written 65_50, so that the rupees can be read.
#![allow(clippy::inconsistent_digit_grouping)]

mod harness;

mod addresses;
mod admin_emails;
mod admin_orders;
mod admin_orders_file;
mod admin_people;
mod admin_products;
mod admin_uploads;
mod bucket;
mod cart;
mod cart_input;
mod checkout;
mod checkout_crashes;
mod checkout_faults;
mod checkout_races;
mod crowds;
mod discreet_log;
mod docs;
mod doors;
mod errors;
mod foreign_bytes;
mod front;
mod image_hosts;
mod limits;
mod markup;
mod mass_assignment;
mod no_fetching;
mod order_ends;
mod order_items;
mod origins;
mod pages;
mod people;
mod privacy;
mod products;
mod program;
mod redirects;
mod reservations;
mod sandbox_pages;
mod shared_limits;
mod sign_in;
mod site;
mod smuggling;
mod strangers;
mod supervision;
mod traversal;
mod units;
mod wishlist;
mod zero_price;
