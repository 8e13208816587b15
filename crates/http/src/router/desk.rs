//! The addresses of the owner's desk.

use crate::access::Access::Admin;
use crate::admin::{export, orders, page, people, products};
use crate::api_doc::{Api, call};
use crate::site::Site;
use crate::wire::Done;
use crate::wire::admin::{
    AuditAnswer, FilesAnswer, ProductBody, ProductPageAnswer, RankAnswer, RankBody, UserBody,
    UsersAnswer, VisibilityAnswer,
};
use crate::wire::order::{ConcernsAnswer, OrderAnswer, OrderPageAnswer, OrderStatusBody};
use crate::wire::people::UserAnswer;
use crate::wire::product::ProductAnswer;
use crate::wire::reservation::ReservedStockAnswer;

/// Any number of files, one in memory at a time.
const UPLOAD_BODY: usize = 512 * 1024 * 1024;

pub fn calls(api: Api<Site>) -> Api<Site> {
    api.get(
        Admin,
        "/api/admin/products",
        products::list,
        call("Products, hidden ones too")
            .query::<products::ProductsQuery>()
            .gives::<ProductPageAnswer>(),
    )
    .post(
        Admin,
        "/api/admin/addProduct",
        products::add,
        call("Add a product")
            .takes::<ProductBody>()
            .creates()
            .gives::<ProductAnswer>(),
    )
    .put(
        Admin,
        "/api/admin/updateProduct/{id}",
        products::update,
        call("Change a product")
            .takes::<ProductBody>()
            .gives::<ProductAnswer>(),
    )
    .delete(
        Admin,
        "/api/admin/deleteProduct/{id}",
        products::delete,
        call("Delete a product").gives::<Done>(),
    )
    .put(
        Admin,
        "/api/admin/products/{id}/trending-rank",
        products::set_rank,
        call("Set or clear the trending rank")
            .takes::<RankBody>()
            .gives::<RankAnswer>(),
    )
    .put(
        Admin,
        "/api/admin/products/{id}/toggle-visibility",
        products::toggle_visibility,
        call("Show or hide a product").gives::<VisibilityAnswer>(),
    )
    .get(
        Admin,
        "/api/admin/orders",
        orders::list,
        call("Orders, filtered, a page at a time")
            .query::<orders::OrdersQuery>()
            .query::<page::PageQuery>()
            .gives::<OrderPageAnswer>(),
    )
    .get(
        Admin,
        "/api/admin/orders/export.csv",
        export::csv,
        call("The filtered orders as a file")
            .query::<orders::OrdersQuery>()
            .gives_bytes("text/csv"),
    )
    .put(
        Admin,
        "/api/admin/orders/{id}/status",
        orders::set_status,
        call("Set an order's status")
            .takes::<OrderStatusBody>()
            .gives::<OrderAnswer>(),
    )
    .delete(
        Admin,
        "/api/admin/orders/{id}",
        orders::delete,
        call("Delete an order").gives::<Done>(),
    )
    .get(
        Admin,
        "/api/admin/reserved-stock",
        orders::reserved_stock,
        call("Unpaid orders that reserve stock, the largest first").gives::<ReservedStockAnswer>(),
    )
    .post(
        Admin,
        "/api/admin/orders/{id}/release",
        orders::release,
        call("End an unpaid order and release its stock").gives::<OrderAnswer>(),
    )
    .get(
        Admin,
        "/api/admin/concerns",
        orders::concerns,
        call("What about money needs a person").gives::<ConcernsAnswer>(),
    )
    .put(
        Admin,
        "/api/admin/concerns/{id}/settle",
        orders::resolve_issue,
        call("A person has looked at it").gives::<Done>(),
    )
    .post(
        Admin,
        "/api/admin/upload-images",
        products::upload,
        call("Store pictures")
            .takes_files("images")
            .body_limit(UPLOAD_BODY)
            .gives::<FilesAnswer>(),
    )
    .get(
        Admin,
        "/api/admin/users",
        people::list,
        call("People, by name or e-mail, a page at a time")
            .query::<people::UsersQuery>()
            .query::<page::PageQuery>()
            .gives::<UsersAnswer>(),
    )
    .put(
        Admin,
        "/api/admin/users/{id}",
        people::update,
        call("Change a person")
            .takes::<UserBody>()
            .gives::<UserAnswer>(),
    )
    .delete(
        Admin,
        "/api/admin/users/{id}",
        people::delete,
        call("Delete a person").gives::<Done>(),
    )
    .get(
        Admin,
        "/api/admin/audit",
        people::audit,
        call("Who changed what and when")
            .query::<people::AuditQuery>()
            .gives::<AuditAnswer>(),
    )
}
