//! What the owner reads: the overview, visits, what is to be done, and the search of the console.

pub mod console_search;
pub mod overview;
pub mod to_do;
pub mod visits;
