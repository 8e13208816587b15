//! Messages from the contact form.

pub mod admin;
pub mod contact;
pub mod types;
