//! The shop's entities and rules: money, packs, stock, carts, orders, payments, users.
//!
//! Nothing here does IO, waits, reads a clock or knows SQL: the manifest does not have the means.

pub mod address;
pub mod audit;
pub mod batch;
pub mod batch_receipt;
pub mod cancellation;
pub mod cart;
pub mod discount;
pub mod end_reason;
pub mod id;
pub mod image_format;
pub mod invoice;
pub mod issue;
pub mod ist;
pub mod message;
pub mod money;
pub mod new_order;
pub mod notification;
pub mod order;
pub mod order_changes;
pub mod order_end;
pub mod order_event;
pub mod order_refunds;
pub mod pack;
pub mod payment;
pub mod problem;
pub mod product;
pub mod rating;
pub mod refund;
pub mod refund_cover;
pub mod refund_plan;
pub mod restock;
pub mod review;
pub mod sales;
pub mod search;
pub mod settlement;
pub mod shipment;
pub mod stock;
pub mod stock_cover;
pub mod stock_notice;
pub mod tax;
pub mod text_enum;
pub mod user;
pub mod validation;
