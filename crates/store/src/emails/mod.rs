//! Emails that wait, and what the owner was told.

pub(crate) mod notifications;
pub(crate) mod outbox;
