//! Sandbox providers inside the server, for a shop without credentials of its own: PhonePe, Google,
//! Shiprocket and a mailbox. Each speaks the provider's protocol over HTTP, so the shop uses the same adapter as
//! for the real one.
//!
//! The server nests each router at the `PATH` of its module and gives the adapter the `Credentials`.

mod append_log;
pub mod courier;
mod fault_settings;
mod html;
pub mod identity;
pub mod mailbox;
pub mod payment;
mod tokens;
