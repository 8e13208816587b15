//! The overview, visits, what is to be done, and the search of the console.

pub mod audit_types;
pub mod console_search;
pub mod overview;
pub mod overview_types;
pub mod to_do;
pub mod to_do_types;
pub mod visits;
