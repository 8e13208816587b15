//! What a customer does: sign in, fill a cart, order, pay, keep addresses and a wishlist.

use mirasa_app::ErrorKind::{
    Conflict, Forbidden, NotAuthenticated, NotFound, UnsupportedMediaType,
};

use crate::api::{cart, customers, invoices, orders, payments};
use crate::guard::access::Access::{Public, User};
use crate::guard::rate_limit::limits::RateClass;
use crate::paths;
use crate::route_table::route::{Route, delete, get, patch, post, put};

const MAX_PROFILE_PICTURE_BODY: usize = 8 * 1024 * 1024;
/// Five photos; one of them is in memory at a time.
const MAX_PROBLEM_BODY: usize = 101 * 1024 * 1024;

pub fn cart() -> Vec<Route> {
    vec![
        post(User, "/api/cart/add-to-cart", cart::handlers::add)
            .summary("Add packs of a product")
            .errors([NotFound, Conflict]),
        get(User, "/api/cart/cart", cart::handlers::get)
            .summary("The cart at current prices"),
        put(User, "/api/cart/update", cart::handlers::update)
            .summary("Set the packs of a product")
            .errors([NotFound, Conflict]),
        delete(User, "/api/cart/remove/{productId}", cart::handlers::remove)
            .summary("Remove a product"),
        delete(User, "/api/cart/api/cart/clear", cart::handlers::clear)
            .summary("Empty the cart"),
        put(User, "/api/cart/discount", cart::handlers::enter_discount)
            .rate(RateClass::DiscountCode)
            .summary("Enter a discount code")
            .errors([NotFound, Conflict]),
        delete(User, "/api/cart/discount", cart::handlers::remove_discount)
            .summary("Remove the discount code"),
        post(User, "/api/cart/checkout", orders::handlers::check_out)
            .rate(RateClass::Checkout)
            .summary("Order the cart; returns the URL of the payment page, or of the result if nothing is to be paid")
            .errors([NotFound, Conflict])
            .idempotency_key(),
    ]
}

pub fn sign_in() -> Vec<Route> {
    vec![
        get(Public, "/api/auth/check-auth", customers::session::check)
            .summary("Whether the session is signed in"),
        get(User, "/api/userinfo", customers::session::show_user).summary("The signed-in user"),
        get(Public, "/api/auth/google/login", customers::auth::login)
            .rate(RateClass::SignIn)
            .summary("Redirect to Google")
            .redirects(),
        get(
            Public,
            "/api/auth/google/callback",
            customers::auth::callback,
        )
        .summary("Return from Google")
        .redirects(),
        get(Public, "/api/auth/logout", customers::auth::logout)
            .summary("Sign out")
            .errors([Forbidden])
            .redirects(),
        post(
            User,
            "/api/auth/logout-everywhere",
            customers::auth::logout_everywhere,
        )
        .summary("Sign out on every device"),
    ]
}

pub fn payment() -> Vec<Route> {
    vec![
        get(
            User,
            "/api/payment/order/db/{merchantOrderId}",
            orders::handlers::payment_result,
        )
        .summary("The order of a payment, settled if the gateway reports a result"),
        post(
            Public,
            "/api/payment/webhook/{provider}",
            payments::webhooks::receive,
        )
        // All webhooks come from the gateway's addresses, many at once after an outage. A secret authenticates them.
        .rate(RateClass::Unlimited)
        .allow_cross_site()
        .summary("The payment gateway's webhook")
        .errors([NotAuthenticated])
        .header("Authorization", "The shared secret", 200),
        post(
            Public,
            "/api/courier/webhook",
            payments::webhooks::receive_from_courier,
        )
        // All webhooks come from the partner's addresses. A secret authenticates them.
        .rate(RateClass::Unlimited)
        .allow_cross_site()
        .summary("The delivery partner's webhook")
        .errors([NotAuthenticated, NotFound])
        .header("x-api-key", "The shared secret", 200),
    ]
}

pub fn addresses() -> Vec<Route> {
    vec![
        get(User, "/api/addresses", customers::addresses::list).summary("Saved addresses"),
        post(User, "/api/addresses", customers::addresses::add).summary("Save an address"),
        put(User, "/api/addresses/{id}", customers::addresses::update).summary("Change an address"),
        delete(User, "/api/addresses/{id}", customers::addresses::delete)
            .summary("Delete an address"),
        patch(
            User,
            "/api/addresses/{id}/default",
            customers::addresses::make_default,
        )
        .summary("Make an address the default"),
        get(User, "/api/user/addresses", customers::addresses::list).summary("Saved addresses"),
        post(User, "/api/user/addresses", customers::addresses::add).summary("Save an address"),
        put(
            User,
            "/api/user/addresses/{id}",
            customers::addresses::update,
        )
        .summary("Change an address"),
        delete(
            User,
            "/api/user/addresses/{id}",
            customers::addresses::delete,
        )
        .summary("Delete an address"),
    ]
}

pub fn profile() -> Vec<Route> {
    vec![
        get(User, "/api/user/profile", customers::profile::show).summary("The profile"),
        put(User, "/api/user/profile", customers::profile::update).summary("Change the profile"),
        put(
            User,
            "/api/user/profile-picture",
            customers::profile::set_picture,
        )
        .rate(RateClass::ProfilePicture)
        .body_limit(MAX_PROFILE_PICTURE_BODY)
        .summary("Change the profile picture"),
        get(User, "/api/user/export", customers::privacy::export)
            .summary("All data that the shop has of the user, as a file"),
        delete(User, "/api/user", customers::privacy::forget)
            .summary("Delete the account; its orders stay without personal data")
            .errors([Conflict]),
    ]
}

pub fn orders() -> Vec<Route> {
    vec![
        get(User, "/api/user/orders", orders::handlers::list)
            .summary("The user's orders, newest first"),
        get(User, "/api/user/orders/{id}", orders::handlers::get)
            .summary("One order"),
        get(
            User,
            "/api/user/orders/{id}/invoice.pdf",
            invoices::files::invoice,
        )
        .summary("The invoice of an order")
        .response_bytes("application/pdf"),
        get(
            User,
            "/api/user/orders/{id}/credit-notes/{file}",
            invoices::files::credit_note,
        )
        .summary("A credit note of an order: its id with .pdf")
        .response_bytes("application/pdf"),
        post(User, "/api/user/orders/{id}/cancel", orders::handlers::cancel)
            .rate(RateClass::Checkout)
            .summary("Cancel an order on the day it was placed: refunded at once, or a request if it is packed")
            .errors([Conflict]),
        post(User, "/api/user/orders/{id}/buy-again", orders::handlers::buy_again)
            .summary("Put the items of an order into the cart"),
        post(User, "/api/user/orders/{id}/problems", orders::problems::report)
            .rate(RateClass::Upload)
            .body_limit(MAX_PROBLEM_BODY)
            .summary("Report damage or a discrepancy on the day of delivery")
            .errors([Conflict, UnsupportedMediaType])
            .request_form(&["message", "lines"], "images"),
        get(User, paths::PROBLEM_IMAGE, orders::problems::image)
            .summary("A photo of a problem")
            .response_bytes("image/webp"),
        post(User, "/api/user/orders/{id}/pay-again", orders::handlers::pay_again)
            .rate(RateClass::Checkout)
            .summary("Create a new order for the items of a failed one")
            .errors([Conflict]),
    ]
}

pub fn wishlist() -> Vec<Route> {
    vec![
        get(User, "/api/user/wishlist", cart::wishlist::show).summary("The wishlist"),
        post(User, "/api/user/wishlist/{id}", cart::wishlist::add).summary("Add a product"),
        delete(User, "/api/user/wishlist/{id}", cart::wishlist::remove).summary("Remove a product"),
        post(
            User,
            "/api/user/wishlist/move-to-cart/{id}",
            cart::wishlist::move_to_cart,
        )
        .summary("Move a product to the cart")
        .errors([Conflict]),
    ]
}
