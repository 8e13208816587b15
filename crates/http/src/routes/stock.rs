//! Stock, batches, and what waits for an admin.

use crate::api::reports::to_do_types::{FailedEmailsResponse, ToDoResponse};
use crate::api::stock::batch_types::{
    BatchRecipientsResponse, BatchRequest, BatchResponse, BatchesQuery, BatchesResponse,
};
use crate::api::stock::types::{
    ProductStockResponse, StockMovementRequest, StockMovementsResponse, StockResponse,
};
use crate::api::{reports, stock};
use crate::extract::pagination;
use crate::guard::access::Access::Admin;
use crate::route_table::route::{Route, get, post};

pub fn stock() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/to-do", reports::to_do::get)
            .summary("How much waits for an admin, by kind")
            .response::<ToDoResponse>(),
        get(
            Admin,
            "/api/admin/failed-emails",
            reports::to_do::failed_emails,
        )
        .summary("Emails that could not be sent after several attempts")
        .response::<FailedEmailsResponse>(),
        get(Admin, "/api/admin/stock", stock::admin::list)
            .summary("The stock of all products, what orders hold of it, and how long it lasts")
            .response::<StockResponse>(),
        get(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::admin::ledger,
        )
        .summary("The stock ledger of a product, newest first, one page")
        .query::<pagination::PageQuery>()
        .response::<StockMovementsResponse>(),
        post(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::admin::add_movement,
        )
        .summary("Count, receive or write off stock")
        .header("Idempotency-Key", "Makes a repeated request safe", 200)
        .request::<StockMovementRequest>()
        .response::<ProductStockResponse>(),
        get(Admin, "/api/admin/batches", stock::batches::list)
            .summary("Batches, the newest first")
            .query::<BatchesQuery>()
            .response::<BatchesResponse>(),
        post(Admin, "/api/admin/batches", stock::batches::add)
            .summary("Receive a batch, or give grams in stock a batch")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .request::<BatchRequest>()
            .created()
            .response::<BatchResponse>(),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients",
            stock::batches::recipients,
        )
        .summary("Who got a batch")
        .response::<BatchRecipientsResponse>(),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients.csv",
            stock::batches::recipients_csv,
        )
        .summary("Who got a batch, as a file")
        .response_bytes("text/csv"),
    ]
}
