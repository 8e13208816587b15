//! Problems with a delivered order: the customer reports one, an admin replaces the items, refunds them or declines.

pub(super) mod repeated;
mod replace;
mod report;
mod resolve;

pub use crate::orders::problems::report::ProblemReport;
pub use crate::orders::problems::resolve::{
    ProblemDecision, ProblemPage, ProblemResolution, ProblemToDecide,
};
