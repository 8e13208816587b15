//! What an admin does in the console.

use crate::api::cart::discount_types::{DiscountRequest, DiscountResponse, DiscountsResponse};
use crate::api::catalogue::admin_types::{
    ProductPageResponse, ProductRequest, TrendingRankRequest, TrendingRankResponse, UploadResponse,
    VisibilityResponse,
};
use crate::api::catalogue::import_types::ProductImportResponse;
use crate::api::catalogue::types::ProductResponse;
use crate::api::customers::admin_types::{UpdateUserRequest, UsersResponse};
use crate::api::customers::types::UserResponse;
use crate::api::invoices::types::{InvoicesResponse, MonthQuery};
use crate::api::messages::types::{
    ContactMessagePageResponse, ContactMessageResponse, MessageReplyRequest, UpdateMessageRequest,
};
use crate::api::orders::cancellation_types::CancellationDecisionRequest;
use crate::api::orders::history_types::{RefundRequest, RefundResponse};
use crate::api::orders::packing_types::{PackRequest, PackedResponse, PackingQuery};
use crate::api::orders::problem_types::{
    ProblemPageResponse, ProblemResponse, ProblemsQuery, ResolveProblemRequest,
};
use crate::api::orders::types::{
    DeleteOrderQuery, OrderIssuesResponse, OrderPageResponse, OrderResponse, OrderStatusRequest,
    ResolveIssueRequest,
};
use crate::api::payments::reservation_types::ReservedStockResponse;
use crate::api::reports::audit_types::AuditResponse;
use crate::api::reports::overview_types::{OverviewQuery, OverviewResponse};
use crate::api::shipping::types::{
    CourierQuotesResponse, ParcelsQuery, ShipRequest, ShipmentPageResponse, ShipmentResponse,
    ShipmentsQuery, ShipmentsResponse, TrackingRequest,
};
use crate::api::types::SuccessResponse;
use crate::api::{cart, catalogue, customers, invoices, messages, orders, reports, shipping};
use crate::extract::pagination;
use crate::guard::access::Access::Admin;
use crate::guard::rate_limit::limits::RateClass;
use crate::route_table::route::{Route, delete, get, post, put};

/// For any number of files; one of them is in memory at a time.
const MAX_UPLOAD_BODY: usize = 512 * 1024 * 1024;
/// Ten thousand products with long texts.
const MAX_IMPORT_BODY: usize = 16 * 1024 * 1024;

pub fn admin() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/products", catalogue::admin::list)
            .summary("Products, including hidden ones")
            .query::<catalogue::admin::ProductsQuery>()
            .response::<ProductPageResponse>(),
        post(Admin, "/api/admin/addProduct", catalogue::admin::add)
            .summary("Add a product")
            .request::<ProductRequest>()
            .created()
            .response::<ProductResponse>(),
        put(Admin, "/api/admin/updateProduct/{id}", catalogue::admin::update)
            .summary("Change a product")
            .request::<ProductRequest>()
            .response::<ProductResponse>(),
        delete(Admin, "/api/admin/deleteProduct/{id}", catalogue::admin::delete)
            .summary("Delete a product")
            .response::<SuccessResponse>(),
        put(
            Admin,
            "/api/admin/products/{id}/trending-rank",
            catalogue::admin::set_rank,
        )
        .summary("Set or clear the trending rank")
        .request::<TrendingRankRequest>()
        .response::<TrendingRankResponse>(),
        put(
            Admin,
            "/api/admin/products/{id}/toggle-visibility",
            catalogue::admin::toggle_visibility,
        )
        .summary("Show or hide a product")
        .response::<VisibilityResponse>(),
        post(Admin, "/api/admin/upload-images", catalogue::admin::upload)
            .rate(RateClass::Upload)
            .body_limit(MAX_UPLOAD_BODY)
            .summary("Upload images")
            .request_files("images")
            .response::<UploadResponse>(),
        get(
            Admin,
            "/api/admin/products/export.csv",
            catalogue::csv::export,
        )
        .summary("All products as a file")
        .query::<catalogue::csv::ExportQuery>()
        .response_bytes("text/csv"),
        post(Admin, "/api/admin/products/import", catalogue::csv::import)
            .rate(RateClass::Upload)
            .body_limit(MAX_IMPORT_BODY)
            .summary("Add and change the products of a CSV file, all or nothing")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .query::<catalogue::csv::ImportQuery>()
            .request_files("file")
            .response::<ProductImportResponse>(),
        get(Admin, "/api/admin/orders", orders::admin::list)
            .summary("Orders, filtered, one page")
            .query::<orders::admin::OrdersQuery>()
            .query::<pagination::PageQuery>()
            .response::<OrderPageResponse>(),
        get(Admin, "/api/admin/orders/export.csv", orders::csv::csv)
            .summary("The filtered orders as a file")
            .query::<orders::admin::OrdersQuery>()
            .query::<orders::csv::ColumnsQuery>()
            .response_bytes("text/csv"),
        put(Admin, "/api/admin/orders/{id}/status", orders::admin::set_status)
            .summary("Set an order's status")
            .request::<OrderStatusRequest>()
            .response::<OrderResponse>(),
        put(
            Admin,
            "/api/admin/orders/{id}/cancellation",
            orders::admin::decide_cancellation,
        )
        .summary("Accept or decline a customer's request to cancel an order")
        .request::<CancellationDecisionRequest>()
        .response::<OrderResponse>(),
        delete(Admin, "/api/admin/orders/{id}", orders::admin::delete)
            .summary("Delete an order")
            .query::<DeleteOrderQuery>()
            .response::<SuccessResponse>(),
        put(Admin, "/api/admin/orders/{id}/restore", orders::admin::restore)
            .summary("Show a deleted order again")
            .response::<OrderResponse>(),
        post(Admin, "/api/admin/orders/{id}/refunds", orders::admin::refund)
            .summary("Refund an amount, some packs, or everything that is left")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .request::<RefundRequest>()
            .response::<RefundResponse>(),
        post(Admin, "/api/admin/refunds/{id}/retry", orders::admin::retry_refund)
            .summary("Repeat a failed refund")
            .response::<RefundResponse>(),
        put(Admin, "/api/admin/orders/packed", invoices::admin::pack)
            .summary("Mark confirmed orders as packed and issue their invoices")
            .request::<PackRequest>()
            .response::<PackedResponse>(),
        get(
            Admin,
            "/api/admin/orders/{id}/invoice.pdf",
            invoices::files::invoice,
        )
        .summary("The invoice of an order")
        .response_bytes("application/pdf"),
        get(
            Admin,
            "/api/admin/orders/{id}/credit-notes/{file}",
            invoices::files::credit_note,
        )
        .summary("A credit note of an order: its id with .pdf")
        .response_bytes("application/pdf"),
        get(Admin, "/api/admin/packing.pdf", invoices::admin::packing)
            .summary("A pick list and packing slips of paid orders")
            .query::<PackingQuery>()
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/invoices", invoices::admin::list)
            .summary("The invoices and credit notes of a month")
            .query::<MonthQuery>()
            .response::<InvoicesResponse>(),
        get(Admin, "/api/admin/invoices/export.csv", invoices::admin::export)
            .summary("The lines of the month's invoices and credit notes as CSV")
            .query::<MonthQuery>()
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/gstr1/{file}", invoices::admin::gstr1)
            .summary("A table of the tax return GSTR-1: 7.csv, 12.csv or 13.csv")
            .query::<MonthQuery>()
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/shipments", shipping::admin::list)
            .summary("Parcels, newest first, one page, and packed orders without a parcel")
            .query::<ShipmentsQuery>()
            .query::<pagination::PageQuery>()
            .response::<ShipmentPageResponse>(),
        post(Admin, "/api/admin/shipments", shipping::admin::ship)
            .summary("Ship packed orders with the delivery partner")
            .request::<ShipRequest>()
            .response::<ShipmentsResponse>(),
        post(Admin, "/api/admin/shipments/{id}/cancel", shipping::admin::cancel)
            .summary("Cancel a parcel that the courier does not have yet")
            .response::<ShipmentResponse>(),
        post(Admin, "/api/admin/shipments/{id}/retry", shipping::admin::retry)
            .summary("Repeat the next step of a parcel now")
            .response::<ShipmentResponse>(),
        get(Admin, "/api/admin/labels.pdf", shipping::admin::labels)
            .summary("The labels of parcels in one file; the header X-Missing-Labels names orders without one")
            .query::<ParcelsQuery>()
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/manifest.pdf", shipping::admin::manifest)
            .summary("The list of parcels for the courier's driver")
            .query::<ParcelsQuery>()
            .response_bytes("application/pdf"),
        get(
            Admin,
            "/api/admin/orders/{id}/couriers",
            shipping::admin::couriers,
        )
        .summary("Couriers that carry the order's parcel, the cheapest first")
        .response::<CourierQuotesResponse>(),
        put(
            Admin,
            "/api/admin/orders/{id}/tracking",
            shipping::admin::set_tracking,
        )
        .summary("Set the tracking number of a courier that is not integrated")
        .request::<TrackingRequest>()
        .response::<OrderResponse>(),
        get(Admin, "/api/admin/problems", orders::admin_problems::list)
            .summary("Problems that customers reported, the oldest first")
            .query::<ProblemsQuery>()
            .query::<pagination::PageQuery>()
            .response::<ProblemPageResponse>(),
        put(Admin, "/api/admin/problems/{id}", orders::admin_problems::resolve)
            .summary("Replace the items, refund them, or decline")
            .request::<ResolveProblemRequest>()
            .response::<ProblemResponse>(),
        get(Admin, "/api/admin/reserved-stock", orders::admin::reserved_stock)
            .summary("Unpaid orders that reserve stock, the largest first")
            .response::<ReservedStockResponse>(),
        post(Admin, "/api/admin/orders/{id}/release", orders::admin::release)
            .summary("End an unpaid order and release its stock")
            .response::<OrderResponse>(),
        get(Admin, "/api/admin/concerns", orders::admin::issues)
            .summary("Orders and payments that need a manual review")
            .response::<OrderIssuesResponse>(),
        put(
            Admin,
            "/api/admin/concerns/{id}/settle",
            orders::admin::resolve_issue,
        )
        .summary("Mark an issue as resolved")
        .request::<ResolveIssueRequest>()
        .response::<SuccessResponse>(),
        get(Admin, "/api/admin/users", customers::admin::list)
            .summary("Users by name or email, one page")
            .query::<customers::admin::UsersQuery>()
            .query::<pagination::PageQuery>()
            .response::<UsersResponse>(),
        put(Admin, "/api/admin/users/{id}", customers::admin::update)
            .summary("Change a user")
            .request::<UpdateUserRequest>()
            .response::<UserResponse>(),
        delete(Admin, "/api/admin/users/{id}", customers::admin::delete)
            .summary("Delete a user")
            .response::<SuccessResponse>(),
        get(Admin, "/api/admin/messages", messages::admin::list)
            .summary("Contact messages, newest first, one page")
            .query::<messages::admin::MessagesQuery>()
            .query::<pagination::PageQuery>()
            .response::<ContactMessagePageResponse>(),
        get(Admin, "/api/admin/messages/{id}", messages::admin::get)
            .summary("One contact message")
            .response::<ContactMessageResponse>(),
        put(Admin, "/api/admin/messages/{id}", messages::admin::update)
            .summary("Mark a contact message as read or done")
            .request::<UpdateMessageRequest>()
            .response::<ContactMessageResponse>(),
        post(Admin, "/api/admin/messages/{id}/reply", messages::admin::reply)
            .summary("Reply to a contact message by email")
            .request::<MessageReplyRequest>()
            .response::<ContactMessageResponse>(),
        get(Admin, "/api/admin/discounts", cart::discounts::list)
            .summary("Discount codes with their uses, turnover and cost")
            .response::<DiscountsResponse>(),
        post(Admin, "/api/admin/discounts", cart::discounts::add)
            .summary("Add a discount code")
            .request::<DiscountRequest>()
            .created()
            .response::<DiscountResponse>(),
        put(Admin, "/api/admin/discounts/{id}", cart::discounts::update)
            .summary("Change or pause a discount code")
            .request::<DiscountRequest>()
            .response::<DiscountResponse>(),
        get(Admin, "/api/admin/overview", reports::overview::get)
            .summary("Sales of some days, compared with as many days before")
            .query::<OverviewQuery>()
            .response::<OverviewResponse>(),
        get(Admin, "/api/admin/audit", customers::admin::audit)
            .summary("Who changed what and when")
            .query::<customers::admin::AuditQuery>()
            .response::<AuditResponse>(),
    ]
}
