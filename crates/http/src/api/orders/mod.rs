//! Orders of customers and for admins, packing, problems and cancellations.

pub mod admin;
pub mod admin_problems;
pub mod buy_again_types;
pub mod cancellation_types;
pub mod csv;
pub mod handlers;
pub mod history_types;
pub mod issue_types;
pub mod packing_types;
pub mod problem_types;
pub mod problems;
pub mod request_types;
pub mod staff;
pub mod staff_types;
pub mod status_types;
pub mod types;
