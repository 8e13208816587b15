//! Messages from the contact form, and the replies of admins.

pub mod contact;
mod replies;

pub use crate::messages::replies::MessagePage;
pub(crate) use crate::messages::replies::message_not_found;
