//! What the owner reads: the overview, visits, and what is to be done.

pub mod overview;
pub mod to_do;
pub mod visits;
