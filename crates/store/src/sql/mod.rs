//! The query layer: each query is written once and runs on both engines; what differs is in `engine`.

pub(crate) mod engine;
pub mod errors;
pub(crate) mod execute;
mod id;
pub(crate) mod migrations;
pub(crate) mod query;
pub(crate) mod row;
