//! The addresses of the owner's desk.

use crate::access::Access::Admin;
use crate::admin::{orders, orders_csv, pagination, products, users};
use crate::dto::SuccessResponse;
use crate::dto::admin::{
    AuditResponse, ProductPageResponse, ProductRequest, TrendingRankRequest, TrendingRankResponse,
    UpdateUserRequest, UploadResponse, UsersResponse, VisibilityResponse,
};
use crate::dto::order::{
    OrderIssuesResponse, OrderPageResponse, OrderResponse, OrderStatusRequest,
};
use crate::dto::product::ProductResponse;
use crate::dto::reservation::ReservedStockResponse;
use crate::dto::user::UserResponse;
use crate::route_table::{Routes, route};
use crate::state::AppState;

/// Any number of files, one in memory at a time.
const MAX_UPLOAD_BODY: usize = 512 * 1024 * 1024;

pub fn admin_routes(api: Routes<AppState>) -> Routes<AppState> {
    api.get(
        Admin,
        "/api/admin/products",
        products::list,
        route("Products, hidden ones too")
            .query::<products::ProductsQuery>()
            .response::<ProductPageResponse>(),
    )
    .post(
        Admin,
        "/api/admin/addProduct",
        products::add,
        route("Add a product")
            .request::<ProductRequest>()
            .created()
            .response::<ProductResponse>(),
    )
    .put(
        Admin,
        "/api/admin/updateProduct/{id}",
        products::update,
        route("Change a product")
            .request::<ProductRequest>()
            .response::<ProductResponse>(),
    )
    .delete(
        Admin,
        "/api/admin/deleteProduct/{id}",
        products::delete,
        route("Delete a product").response::<SuccessResponse>(),
    )
    .put(
        Admin,
        "/api/admin/products/{id}/trending-rank",
        products::set_rank,
        route("Set or clear the trending rank")
            .request::<TrendingRankRequest>()
            .response::<TrendingRankResponse>(),
    )
    .put(
        Admin,
        "/api/admin/products/{id}/toggle-visibility",
        products::toggle_visibility,
        route("Show or hide a product").response::<VisibilityResponse>(),
    )
    .get(
        Admin,
        "/api/admin/orders",
        orders::list,
        route("Orders, filtered, a page at a time")
            .query::<orders::OrdersQuery>()
            .query::<pagination::PageQuery>()
            .response::<OrderPageResponse>(),
    )
    .get(
        Admin,
        "/api/admin/orders/export.csv",
        orders_csv::csv,
        route("The filtered orders as a file")
            .query::<orders::OrdersQuery>()
            .response_bytes("text/csv"),
    )
    .put(
        Admin,
        "/api/admin/orders/{id}/status",
        orders::set_status,
        route("Set an order's status")
            .request::<OrderStatusRequest>()
            .response::<OrderResponse>(),
    )
    .delete(
        Admin,
        "/api/admin/orders/{id}",
        orders::delete,
        route("Delete an order").response::<SuccessResponse>(),
    )
    .get(
        Admin,
        "/api/admin/reserved-stock",
        orders::reserved_stock,
        route("Unpaid orders that reserve stock, the largest first")
            .response::<ReservedStockResponse>(),
    )
    .post(
        Admin,
        "/api/admin/orders/{id}/release",
        orders::release,
        route("End an unpaid order and release its stock").response::<OrderResponse>(),
    )
    .get(
        Admin,
        "/api/admin/concerns",
        orders::issues,
        route("What about money needs a person").response::<OrderIssuesResponse>(),
    )
    .put(
        Admin,
        "/api/admin/concerns/{id}/settle",
        orders::resolve_issue,
        route("A person has looked at it").response::<SuccessResponse>(),
    )
    .post(
        Admin,
        "/api/admin/upload-images",
        products::upload,
        route("Store pictures")
            .request_files("images")
            .body_limit(MAX_UPLOAD_BODY)
            .response::<UploadResponse>(),
    )
    .get(
        Admin,
        "/api/admin/users",
        users::list,
        route("People, by name or e-mail, a page at a time")
            .query::<users::UsersQuery>()
            .query::<pagination::PageQuery>()
            .response::<UsersResponse>(),
    )
    .put(
        Admin,
        "/api/admin/users/{id}",
        users::update,
        route("Change a person")
            .request::<UpdateUserRequest>()
            .response::<UserResponse>(),
    )
    .delete(
        Admin,
        "/api/admin/users/{id}",
        users::delete,
        route("Delete a person").response::<SuccessResponse>(),
    )
    .get(
        Admin,
        "/api/admin/audit",
        users::audit,
        route("Who changed what and when")
            .query::<users::AuditQuery>()
            .response::<AuditResponse>(),
    )
}
