//! Stock, batches, and what waits for an admin.

use mirasa_app::ErrorKind::{Conflict, NotFound};

use crate::api::{reports, stock};
use crate::guard::access::Access::Admin;
use crate::route_table::route::{Route, get, post};

pub fn stock() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/to-do", reports::to_do::get)
            .summary("How much waits for an admin, by kind"),
        get(
            Admin,
            "/api/admin/failed-emails",
            reports::to_do::failed_emails,
        )
        .summary("Emails that could not be sent after several attempts"),
        get(Admin, "/api/admin/stock", stock::admin::list)
            .summary("The stock of all products, what orders hold of it, and how long it lasts"),
        get(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::admin::ledger,
        )
        .summary("The stock ledger of a product, newest first, one page"),
        post(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::admin::add_movement,
        )
        .summary("Count, receive or write off stock")
        .errors([Conflict])
        .idempotency_key(),
        post(
            Admin,
            "/api/admin/stock/deliveries",
            stock::admin::receive_delivery,
        )
        .summary("Receive several products at once, all or none")
        .errors([NotFound])
        .idempotency_key(),
        get(Admin, "/api/admin/batches", stock::batches::list).summary("Batches, the newest first"),
        post(Admin, "/api/admin/batches", stock::batches::add)
            .summary("Receive a batch, or give grams in stock a batch")
            .errors([NotFound, Conflict])
            .idempotency_key(),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients",
            stock::batches::recipients,
        )
        .summary("Who got a batch"),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients.csv",
            stock::batches::recipients_csv,
        )
        .summary("Who got a batch, as a file")
        .response_bytes("text/csv"),
    ]
}
