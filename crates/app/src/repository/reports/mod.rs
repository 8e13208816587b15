//! Queries of reports.

pub mod consistency;
pub mod daily_sales;
pub mod to_do;
