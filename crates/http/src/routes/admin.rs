//! What an admin does in the console.

use mirasa_app::ErrorKind::{Conflict, NotFound, UnsupportedMediaType};

use crate::api::{cart, catalogue, customers, invoices, messages, orders, reports, shipping};
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
            .summary("Products, including hidden ones"),
        get(Admin, "/api/admin/products/{id}", catalogue::admin::show)
            .summary("A product, also a hidden one"),
        post(Admin, "/api/admin/addProduct", catalogue::admin::add)
            .summary("Add a product"),
        put(Admin, "/api/admin/updateProduct/{id}", catalogue::admin::update)
            .summary("Change a product")
            .errors([Conflict]),
        delete(Admin, "/api/admin/deleteProduct/{id}", catalogue::admin::delete)
            .summary("Delete a product"),
        put(
            Admin,
            "/api/admin/products/{id}/trending-rank",
            catalogue::admin::set_rank,
        )
        .summary("Set or clear the trending rank"),
        put(
            Admin,
            "/api/admin/products/{id}/toggle-visibility",
            catalogue::admin::toggle_visibility,
        )
        .summary("Show or hide a product"),
        post(Admin, "/api/admin/upload-images", catalogue::admin::upload)
            .rate(RateClass::Upload)
            .body_limit(MAX_UPLOAD_BODY)
            .summary("Upload images")
            .errors([UnsupportedMediaType])
            .request_files("images"),
        get(
            Admin,
            "/api/admin/products/export.csv",
            catalogue::csv::export,
        )
        .summary("All products as a file")
        .response_bytes("text/csv"),
        post(Admin, "/api/admin/products/import", catalogue::csv::import)
            .rate(RateClass::Upload)
            .body_limit(MAX_IMPORT_BODY)
            .summary("Add and change the products of a CSV file, all or nothing")
            .errors([Conflict])
            .idempotency_key()
            .request_files("file"),
        get(Admin, "/api/admin/orders", orders::admin::list)
            .summary("Orders, filtered, one page"),
        get(Admin, "/api/admin/orders/export.csv", orders::csv::csv)
            .summary("The filtered orders as a file")
            .response_bytes("text/csv"),
        put(Admin, "/api/admin/orders/{id}/status", orders::admin::set_status)
            .summary("Set an order's status")
            .errors([Conflict]),
        put(
            Admin,
            "/api/admin/orders/{id}/cancellation",
            orders::admin::decide_cancellation,
        )
        .summary("Accept or decline a customer's request to cancel an order")
        .errors([Conflict]),
        delete(Admin, "/api/admin/orders/{id}", orders::admin::delete)
            .summary("Delete an order")
            .errors([Conflict]),
        put(Admin, "/api/admin/orders/{id}/restore", orders::admin::restore)
            .summary("Show a deleted order again"),
        post(Admin, "/api/admin/orders/{id}/refunds", orders::admin::refund)
            .summary("Refund an amount, some packs, or everything that is left")
            .errors([Conflict])
            .idempotency_key(),
        post(Admin, "/api/admin/refunds/{id}/retry", orders::admin::retry_refund)
            .summary("Repeat a failed refund")
            .errors([Conflict]),
        put(Admin, "/api/admin/orders/packed", invoices::admin::pack)
            .summary("Mark confirmed orders as packed and issue their invoices")
            .errors([NotFound, Conflict]),
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
            .errors([NotFound, Conflict])
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/invoices", invoices::admin::list)
            .summary("The invoices and credit notes of a month"),
        get(Admin, "/api/admin/invoices/export.csv", invoices::admin::export)
            .summary("The lines of the month's invoices and credit notes as CSV")
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/gstr1/{file}", invoices::admin::gstr1)
            .summary("A table of the tax return GSTR-1: 7.csv, 12.csv or 13.csv")
            .response_bytes("text/csv"),
        get(Admin, "/api/admin/shipments", shipping::admin::list)
            .summary("Parcels, newest first, one page, and packed orders without a parcel"),
        post(Admin, "/api/admin/shipments", shipping::admin::ship)
            .summary("Ship packed orders with the delivery partner")
            .errors([NotFound, Conflict]),
        post(Admin, "/api/admin/shipments/{id}/cancel", shipping::admin::cancel)
            .summary("Cancel a parcel that the courier does not have yet")
            .errors([Conflict]),
        post(Admin, "/api/admin/shipments/{id}/retry", shipping::admin::retry)
            .summary("Repeat the next step of a parcel now")
            .errors([Conflict]),
        get(Admin, "/api/admin/pack-and-ship", shipping::pack_and_ship::list)
            .summary("Paid orders to pack, ship and print, the oldest first"),
        post(
            Admin,
            "/api/admin/pack-and-ship",
            shipping::pack_and_ship::pack_and_ship,
        )
        .summary("Pack orders and book their parcels. Can be repeated: it goes on where it stopped"),
        get(
            Admin,
            "/api/admin/pack-and-ship/costs",
            shipping::pack_and_ship::costs,
        )
        .summary("What the parcels of up to 20 orders would cost")
        .errors([Conflict]),
        get(
            Admin,
            "/api/admin/pack-and-ship/papers.pdf",
            shipping::pack_and_ship::papers,
        )
        .summary("Pick list, packing slips, labels and invoices of packed orders; the header X-Left-Out names orders that are not in the file")
        .errors([NotFound, Conflict])
        .response_bytes("application/pdf"),
        get(Admin, "/api/admin/labels.pdf", shipping::admin::labels)
            .summary("The labels of parcels in one file, the oldest order first; the header X-Missing-Labels names orders without one")
            .errors([NotFound, Conflict])
            .response_bytes("application/pdf"),
        get(Admin, "/api/admin/manifest.pdf", shipping::admin::manifest)
            .summary("The list of parcels for the courier's driver")
            .errors([NotFound, Conflict])
            .response_bytes("application/pdf"),
        get(
            Admin,
            "/api/admin/orders/{id}/couriers",
            shipping::admin::couriers,
        )
        .summary("Couriers that carry the order's parcel, the cheapest first")
        .errors([Conflict]),
        put(
            Admin,
            "/api/admin/orders/{id}/tracking",
            shipping::admin::set_tracking,
        )
        .summary("Set the tracking number of a courier that is not integrated")
        .errors([Conflict]),
        get(Admin, "/api/admin/problems", orders::admin_problems::list)
            .summary("Problems that customers reported, the oldest first"),
        put(Admin, "/api/admin/problems/{id}", orders::admin_problems::resolve)
            .summary("Replace the items, refund them, or decline")
            .errors([Conflict]),
        get(Admin, "/api/admin/reserved-stock", orders::admin::reserved_stock)
            .summary("Unpaid orders that reserve stock, the largest first"),
        post(Admin, "/api/admin/orders/{id}/release", orders::admin::release)
            .summary("End an unpaid order and release its stock")
            .errors([Conflict]),
        get(Admin, "/api/admin/concerns", orders::admin::issues)
            .summary("Orders and payments that need a manual review"),
        put(
            Admin,
            "/api/admin/concerns/{id}/settle",
            orders::admin::resolve_issue,
        )
        .summary("Mark an issue as resolved"),
        get(Admin, "/api/admin/users", customers::admin::list)
            .summary("Users by name or email, one page"),
        put(Admin, "/api/admin/users/{id}", customers::admin::update)
            .summary("Change a user")
            .errors([Conflict]),
        delete(Admin, "/api/admin/users/{id}", customers::admin::delete)
            .summary("Delete a user")
            .errors([Conflict]),
        get(Admin, "/api/admin/messages", messages::admin::list)
            .summary("Contact messages, newest first, one page"),
        get(Admin, "/api/admin/messages/{id}", messages::admin::get)
            .summary("One contact message"),
        put(Admin, "/api/admin/messages/{id}", messages::admin::update)
            .summary("Mark a contact message as read or done"),
        post(Admin, "/api/admin/messages/{id}/reply", messages::admin::reply)
            .summary("Reply to a contact message by email")
            .errors([Conflict]),
        get(Admin, "/api/admin/discounts", cart::discounts::list)
            .summary("Discount codes with their uses, turnover and cost"),
        post(Admin, "/api/admin/discounts", cart::discounts::add)
            .summary("Add a discount code")
            .errors([Conflict]),
        put(Admin, "/api/admin/discounts/{id}", cart::discounts::update)
            .summary("Change or pause a discount code")
            .errors([Conflict]),
        get(Admin, "/api/admin/overview", reports::overview::get)
            .summary("Sales of some days, compared with as many days before"),
        get(Admin, "/api/admin/audit", customers::admin::audit)
            .summary("Who changed what and when"),
    ]
}
