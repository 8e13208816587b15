//! Invoices, credit notes and files for the accountant.

pub mod admin;
pub mod documents;
pub mod types;
