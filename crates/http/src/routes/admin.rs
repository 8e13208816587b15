//! What an admin does in the console.

use crate::access::Access::Admin;
use crate::admin::{
    discounts, invoices, messages, orders, orders_csv, overview, pagination, problems, products,
    products_csv, shipments, users,
};
use crate::documents;
use crate::dto::SuccessResponse;
use crate::dto::admin::{
    AuditResponse, ProductPageResponse, ProductRequest, TrendingRankRequest, TrendingRankResponse,
    UpdateUserRequest, UploadResponse, UsersResponse, VisibilityResponse,
};
use crate::dto::cancellation::CancellationDecisionRequest;
use crate::dto::discount::{DiscountRequest, DiscountResponse, DiscountsResponse};
use crate::dto::invoice::{InvoicesResponse, MonthQuery};
use crate::dto::message::{
    ContactMessagePageResponse, ContactMessageResponse, MessageReplyRequest, UpdateMessageRequest,
};
use crate::dto::order::{
    DeleteOrderQuery, OrderIssuesResponse, OrderPageResponse, OrderResponse, OrderStatusRequest,
    ResolveIssueRequest,
};
use crate::dto::order_history::{RefundRequest, RefundResponse};
use crate::dto::overview::{OverviewQuery, OverviewResponse};
use crate::dto::packing::{PackRequest, PackedResponse, PackingQuery};
use crate::dto::problem::{
    ProblemPageResponse, ProblemResponse, ProblemsQuery, ResolveProblemRequest,
};
use crate::dto::product::ProductResponse;
use crate::dto::product_import::ProductImportResponse;
use crate::dto::reservation::ReservedStockResponse;
use crate::dto::shipment::{
    CourierQuotesResponse, ParcelsQuery, ShipRequest, ShipmentPageResponse, ShipmentResponse,
    ShipmentsQuery, ShipmentsResponse, TrackingRequest,
};
use crate::dto::user::UserResponse;
use crate::rate_limit::limits::RateClass;
use crate::route_table::route::{Route, delete, get, post, put};

/// For any number of files; one of them is in memory at a time.
const MAX_UPLOAD_BODY: usize = 512 * 1024 * 1024;
/// Ten thousand products with long texts.
const MAX_IMPORT_BODY: usize = 16 * 1024 * 1024;

pub fn admin() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/products", products::list)
            .summary("Products, including hidden ones")
            .query::<products::ProductsQuery>()
            .response::<ProductPageResponse>(),
        post(Admin, "/api/admin/addProduct", products::add)
            .summary("Add a product")
            .request::<ProductRequest>()
            .created()
            .response::<ProductResponse>(),
        put(Admin, "/api/admin/updateProduct/{id}", products::update)
            .summary("Change a product")
            .request::<ProductRequest>()
            .response::<ProductResponse>(),
        delete(Admin, "/api/admin/deleteProduct/{id}", products::delete)
            .summary("Delete a product")
            .response::<SuccessResponse>(),
        put(
            Admin,
            "/api/admin/products/{id}/trending-rank",
            products::set_rank,
        )
        .summary("Set or clear the trending rank")
        .request::<TrendingRankRequest>()
        .response::<TrendingRankResponse>(),
        put(
            Admin,
            "/api/admin/products/{id}/toggle-visibility",
            products::toggle_visibility,
        )
        .summary("Show or hide a product")
        .response::<VisibilityResponse>(),
        post(Admin, "/api/admin/upload-images", products::upload)
            .rate(RateClass::Upload)
            .body_limit(MAX_UPLOAD_BODY)
            .summary("Upload images")
            .request_files("images")
            .response::<UploadResponse>(),
        get(
            Admin,
            "/api/admin/products/export.csv",
            products_csv::export,
        )
        .summary("All products as a file")
        .query::<products_csv::ExportQuery>()
        .response_bytes("text/csv"),
        post(Admin, "/api/admin/products/import", products_csv::import)
            .rate(RateClass::Upload)
            .body_limit(MAX_IMPORT_BODY)
            .summary("Add and change the products of a CSV file, all or nothing")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .query::<products_csv::ImportQuery>()
            .request_files("file")
            .response::<ProductImportResponse>(),
        get(Admin, "/api/admin/orders", orders::list)
            .summary("Orders, filtered, one page")
            .query::<orders::OrdersQuery>()
            .query::<pagination::PageQuery>()
            .response::<OrderPageResponse>(),
        get(Admin, "/api/admin/orders/export.csv", orders_csv::csv)
            .summary("The filtered orders as a file")
            .query::<orders::OrdersQuery>()
            .query::<orders_csv::ColumnsQuery>()
            .response_bytes("text/csv"),
        put(Admin, "/api/admin/orders/{id}/status", orders::set_status)
            .summary("Set an order's status")
            .request::<OrderStatusRequest>()
            .response::<OrderResponse>(),
        put(
            Admin,
            "/api/admin/orders/{id}/cancellation",
            orders::decide_cancellation,
        )
        .summary("Accept or decline a customer's request to cancel an order")
        .request::<CancellationDecisionRequest>()
        .response::<OrderResponse>(),
        delete(Admin, "/api/admin/orders/{id}", orders::delete)
            .summary("Delete an order")
            .query::<DeleteOrderQuery>()
            .response::<SuccessResponse>(),
        put(Admin, "/api/admin/orders/{id}/restore", orders::restore)
            .summary("Show a deleted order again")
            .response::<OrderResponse>(),
        post(Admin, "/api/admin/orders/{id}/refunds", orders::refund)
            .summary("Refund an amount, some packs, or everything that is left")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .request::<RefundRequest>()
            .response::<RefundResponse>(),
        post(Admin, "/api/admin/refunds/{id}/retry", orders::retry_refund)
            .summary("Repeat a failed refund")
            .response::<RefundResponse>(),
        put(Admin, "/api/admin/orders/packed", invoices::pack)
            .summary("Mark confirmed orders as packed and issue their invoices")
            .request::<PackRequest>()
            .response::<PackedResponse>(),
        get(
            Admin,
            "/api/admin/orders/{id}/invoice.pdf",
            documents::invoice,
        )
        .summary("The invoice of an order")
        .response_bytes("application/pdf"),
        get(
            Admin,
            "/api/admin/orders/{id}/credit-notes/{file}",
            documents::credit_note,
        )
        .summary("A credit note of an order: its id with .pdf")
        .response_bytes("application/pdf"),
        get(Admin, "/api/admin/packing.pdf", invoices::packing)
            .summary("A pick list and packing slips of paid orders")
            .query::<PackingQuery>()
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/invoices", invoices::list)
            .summary("The invoices and credit notes of a month")
            .query::<MonthQuery>()
            .response::<InvoicesResponse>(),
        get(Admin, "/api/admin/invoices/export.csv", invoices::export)
            .summary("The lines of the month's invoices and credit notes as CSV")
            .query::<MonthQuery>()
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/gstr1/{file}", invoices::gstr1)
            .summary("A table of the tax return GSTR-1: 7.csv, 12.csv or 13.csv")
            .query::<MonthQuery>()
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/shipments", shipments::list)
            .summary("Parcels, newest first, one page, and packed orders without a parcel")
            .query::<ShipmentsQuery>()
            .query::<pagination::PageQuery>()
            .response::<ShipmentPageResponse>(),
        post(Admin, "/api/admin/shipments", shipments::ship)
            .summary("Ship packed orders with the delivery partner")
            .request::<ShipRequest>()
            .response::<ShipmentsResponse>(),
        post(Admin, "/api/admin/shipments/{id}/cancel", shipments::cancel)
            .summary("Cancel a parcel that the courier does not have yet")
            .response::<ShipmentResponse>(),
        post(Admin, "/api/admin/shipments/{id}/retry", shipments::retry)
            .summary("Repeat the next step of a parcel now")
            .response::<ShipmentResponse>(),
        get(Admin, "/api/admin/labels.pdf", shipments::labels)
            .summary("The labels of parcels in one file; the header X-Missing-Labels names orders without one")
            .query::<ParcelsQuery>()
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/manifest.pdf", shipments::manifest)
            .summary("The list of parcels for the courier's driver")
            .query::<ParcelsQuery>()
            .response_bytes("application/pdf"),
        get(
            Admin,
            "/api/admin/orders/{id}/couriers",
            shipments::couriers,
        )
        .summary("Couriers that carry the order's parcel, the cheapest first")
        .response::<CourierQuotesResponse>(),
        put(
            Admin,
            "/api/admin/orders/{id}/tracking",
            shipments::set_tracking,
        )
        .summary("Set the tracking number of a courier that is not integrated")
        .request::<TrackingRequest>()
        .response::<OrderResponse>(),
        get(Admin, "/api/admin/problems", problems::list)
            .summary("Problems that customers reported, the oldest first")
            .query::<ProblemsQuery>()
            .query::<pagination::PageQuery>()
            .response::<ProblemPageResponse>(),
        put(Admin, "/api/admin/problems/{id}", problems::resolve)
            .summary("Replace the items, refund them, or decline")
            .request::<ResolveProblemRequest>()
            .response::<ProblemResponse>(),
        get(Admin, "/api/admin/reserved-stock", orders::reserved_stock)
            .summary("Unpaid orders that reserve stock, the largest first")
            .response::<ReservedStockResponse>(),
        post(Admin, "/api/admin/orders/{id}/release", orders::release)
            .summary("End an unpaid order and release its stock")
            .response::<OrderResponse>(),
        get(Admin, "/api/admin/concerns", orders::issues)
            .summary("Orders and payments that need a manual review")
            .response::<OrderIssuesResponse>(),
        put(
            Admin,
            "/api/admin/concerns/{id}/settle",
            orders::resolve_issue,
        )
        .summary("Mark an issue as resolved")
        .request::<ResolveIssueRequest>()
        .response::<SuccessResponse>(),
        get(Admin, "/api/admin/users", users::list)
            .summary("Users by name or email, one page")
            .query::<users::UsersQuery>()
            .query::<pagination::PageQuery>()
            .response::<UsersResponse>(),
        put(Admin, "/api/admin/users/{id}", users::update)
            .summary("Change a user")
            .request::<UpdateUserRequest>()
            .response::<UserResponse>(),
        delete(Admin, "/api/admin/users/{id}", users::delete)
            .summary("Delete a user")
            .response::<SuccessResponse>(),
        get(Admin, "/api/admin/messages", messages::list)
            .summary("Contact messages, newest first, one page")
            .query::<messages::MessagesQuery>()
            .query::<pagination::PageQuery>()
            .response::<ContactMessagePageResponse>(),
        get(Admin, "/api/admin/messages/{id}", messages::get)
            .summary("One contact message")
            .response::<ContactMessageResponse>(),
        put(Admin, "/api/admin/messages/{id}", messages::update)
            .summary("Mark a contact message as read or done")
            .request::<UpdateMessageRequest>()
            .response::<ContactMessageResponse>(),
        post(Admin, "/api/admin/messages/{id}/reply", messages::reply)
            .summary("Reply to a contact message by email")
            .request::<MessageReplyRequest>()
            .response::<ContactMessageResponse>(),
        get(Admin, "/api/admin/discounts", discounts::list)
            .summary("Discount codes with their uses, turnover and cost")
            .response::<DiscountsResponse>(),
        post(Admin, "/api/admin/discounts", discounts::add)
            .summary("Add a discount code")
            .request::<DiscountRequest>()
            .created()
            .response::<DiscountResponse>(),
        put(Admin, "/api/admin/discounts/{id}", discounts::update)
            .summary("Change or pause a discount code")
            .request::<DiscountRequest>()
            .response::<DiscountResponse>(),
        get(Admin, "/api/admin/overview", overview::get)
            .summary("Sales of some days, compared with as many days before")
            .query::<OverviewQuery>()
            .response::<OverviewResponse>(),
        get(Admin, "/api/admin/audit", users::audit)
            .summary("Who changed what and when")
            .query::<users::AuditQuery>()
            .response::<AuditResponse>(),
    ]
}
