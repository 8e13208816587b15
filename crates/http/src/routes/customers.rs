//! Customers and single orders as admins see them, and the search of the console.

use mirasa_app::ErrorKind::Conflict;

use crate::api::{customers, orders, reports};
use crate::guard::access::Access::Admin;
use crate::route_table::route::{Route, get, post, put};

pub fn customers() -> Vec<Route> {
    vec![
        get(Admin, "/api/admin/customers", customers::list::list)
            .summary("Customers with what they ordered and spent, one page"),
        get(Admin, "/api/admin/customers/{id}", customers::list::get)
            .summary("A customer with addresses, orders, messages, problems and reviews"),
        get(Admin, "/api/admin/orders/{id}", orders::staff::get)
            .summary("An order, also a deleted one, with the notes of staff"),
        post(
            Admin,
            "/api/admin/orders/{id}/notes",
            orders::staff::add_note,
        )
        .summary("Add a note to an order"),
        put(
            Admin,
            "/api/admin/orders/{id}/address",
            orders::staff::correct_address,
        )
        .summary("Correct the delivery address of a paid order that is not packed")
        .errors([Conflict]),
        get(
            Admin,
            "/api/admin/messages/{id}/sender",
            customers::list::sender,
        )
        .summary("The customer who sent a contact message, and their newest orders"),
        get(Admin, "/api/admin/search", reports::console_search::get)
            .summary("Orders, customers and products by a number, a name, a phone or an email"),
    ]
}
