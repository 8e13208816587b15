//! The overview, visits, and what is to be done.

pub mod audit_types;
pub mod overview;
pub mod overview_types;
pub mod to_do;
pub mod to_do_types;
pub mod visits;
