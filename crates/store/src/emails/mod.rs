//! Emails that wait to be sent, and the end of what each kind of notification has reported to the owner.

pub(crate) mod notifications;
pub(crate) mod outbox;
