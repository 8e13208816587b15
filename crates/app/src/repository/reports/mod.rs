//! Queries of reports.

pub mod consistency;
pub mod console_search;
pub mod daily_sales;
pub mod to_do;
