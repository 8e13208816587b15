//! Stock, batches, and what waits for an admin.

use crate::access::Access::Admin;
use crate::admin::{batches, pagination, stock, to_do};
use crate::dto::batch::{
    BatchRecipientsResponse, BatchRequest, BatchResponse, BatchesQuery, BatchesResponse,
};
use crate::dto::stock::{
    ProductStockResponse, StockMovementRequest, StockMovementsResponse, StockResponse,
};
use crate::dto::to_do::{FailedEmailsResponse, ToDoResponse};
use crate::route_table::route::{Route, get, post};

pub fn stock() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/to-do", to_do::get)
            .summary("How much waits for an admin, by kind")
            .response::<ToDoResponse>(),
        get(Admin, "/api/admin/failed-emails", to_do::failed_emails)
            .summary("Emails that could not be sent after several attempts")
            .response::<FailedEmailsResponse>(),
        get(Admin, "/api/admin/stock", stock::list)
            .summary("The stock of all products, what orders hold of it, and how long it lasts")
            .response::<StockResponse>(),
        get(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::ledger,
        )
        .summary("The stock ledger of a product, newest first, one page")
        .query::<pagination::PageQuery>()
        .response::<StockMovementsResponse>(),
        post(
            Admin,
            "/api/admin/stock/{productId}/movements",
            stock::add_movement,
        )
        .summary("Count, receive or write off stock")
        .header("Idempotency-Key", "Makes a repeated request safe", 200)
        .request::<StockMovementRequest>()
        .response::<ProductStockResponse>(),
        get(Admin, "/api/admin/batches", batches::list)
            .summary("Batches, the newest first")
            .query::<BatchesQuery>()
            .response::<BatchesResponse>(),
        post(Admin, "/api/admin/batches", batches::add)
            .summary("Receive a batch, or give grams in stock a batch")
            .header("Idempotency-Key", "Makes a repeated request safe", 200)
            .request::<BatchRequest>()
            .created()
            .response::<BatchResponse>(),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients",
            batches::recipients,
        )
        .summary("Who got a batch")
        .response::<BatchRecipientsResponse>(),
        get(
            Admin,
            "/api/admin/batches/{id}/recipients.csv",
            batches::recipients_csv,
        )
        .summary("Who got a batch, as a file")
        .response_bytes("text/csv"),
    ]
}
