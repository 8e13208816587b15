//! Emails that wait, and what the owner was told.

pub mod notifications;
pub mod outbox;
