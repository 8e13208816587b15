//! What the measuring programs share: a browser that costs next to nothing, and what a process has
//! used up. Not part of the shop.

pub mod browser;
pub mod process;
