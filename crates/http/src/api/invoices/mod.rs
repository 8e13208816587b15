//! Invoices, credit notes and files for the accountant.

pub mod admin;
pub mod files;
pub mod types;
