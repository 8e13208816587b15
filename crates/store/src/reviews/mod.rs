//! Reviews of products and votes for them.

mod read;
pub(crate) mod requests;
mod write;
