//! Queries of reports.

pub(crate) mod console_search;
pub(crate) mod daily_sales;
pub(crate) mod to_do;
