//! Every address of the shop, top to bottom, in the spec's order. Its odd paths stand here and nowhere
//! else.

mod admin;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use http::{HeaderValue, header};
use utoipa::openapi::OpenApi;

use crate::access::Access::{Public, User};
use crate::dto::cart::{AddToCartRequest, CartResponse, UpdateCartRequest, WishlistResponse};
use crate::dto::order::{
    CheckoutRequest, CheckoutResponse, OrderResponse, OrdersResponse, PaymentResultResponse,
};
use crate::dto::privacy::UserDataResponse;
use crate::dto::product::{
    FiltersResponse, ProductListResponse, ProductResponse, ProductsResponse, SearchResult,
};
use crate::dto::shop::ShopResponse;
use crate::dto::user::{
    AddressRequest, AddressResponse, AddressesResponse, AuthResponse, ContactRequest,
    PincodeResponse, ProfilePictureRequest, ProfileRequest, UserResponse,
};
use crate::dto::{MessageResponse, SuccessResponse};
use crate::product_list_query::ProductListParams;
use crate::route_table::{RouteInfo, Routes, route};
use crate::state::AppState;
use crate::{
    addresses, api_docs, auth, cart, contact, health, images, middleware, orders, pages, pincode,
    privacy, products, profile, seo, userinfo, webhooks, wishlist,
};

const MAX_PROFILE_PICTURE_BODY: usize = 8 * 1024 * 1024;

fn route_table() -> Routes<AppState> {
    let api = Routes::new();

    let api = api
        .section("Cart")
        .post(
            User,
            "/api/cart/add-to-cart",
            cart::add,
            route("Add packs of a product")
                .request::<AddToCartRequest>()
                .response::<CartResponse>(),
        )
        .get(
            User,
            "/api/cart/cart",
            cart::get,
            route("The cart, priced as of now").response::<CartResponse>(),
        )
        .put(
            User,
            "/api/cart/update",
            cart::update,
            route("Set the packs of a product")
                .request::<UpdateCartRequest>()
                .response::<CartResponse>(),
        )
        .delete(
            User,
            "/api/cart/remove/{productId}",
            cart::remove,
            route("Remove a product").response::<CartResponse>(),
        )
        .delete(
            User,
            "/api/cart/api/cart/clear",
            cart::clear,
            route("Empty the cart").response::<CartResponse>(),
        )
        .post(
            User,
            "/api/cart/checkout",
            orders::check_out,
            route("Order what is in the cart; answers where to pay")
                .header("Idempotency-Key", "Makes a repeat harmless", 200)
                .error("422", "The key was used for another request")
                .request::<CheckoutRequest>()
                .response::<CheckoutResponse>(),
        );

    let api = api
        .section("Sign-in")
        .get(
            Public,
            "/api/auth/check-auth",
            userinfo::check,
            route("Whether somebody is signed in").response::<AuthResponse>(),
        )
        .get(
            User,
            "/api/userinfo",
            profile::show,
            route("Who is signed in").response::<UserResponse>(),
        )
        .get(
            Public,
            "/api/auth/google/login",
            auth::login,
            route("Go to Google")
                .query::<auth::LoginQuery>()
                .redirects(),
        )
        .get(
            Public,
            "/api/auth/google/callback",
            auth::callback,
            route("Come back from Google")
                .query::<auth::CallbackQuery>()
                .redirects(),
        )
        .get(
            Public,
            "/api/auth/logout",
            auth::logout,
            route("Sign out").redirects(),
        )
        .post(
            User,
            "/api/auth/logout-everywhere",
            auth::logout_everywhere,
            route("Sign out on every device").response::<SuccessResponse>(),
        );

    let api = api
        .section("Products")
        .get(
            Public,
            "/api/products/api/trending",
            products::trending,
            route("Trending products, by rank")
                .skip_guard()
                .response::<ProductsResponse>(),
        )
        .get(
            Public,
            "/api/products/api/productInfo",
            products::list,
            route("Visible products: all, or a part of them")
                .skip_guard()
                .query::<ProductListParams>()
                .response::<ProductListResponse>(),
        )
        .get(
            Public,
            "/api/products/api/productInfo/{id}",
            products::get,
            route("One visible product")
                .skip_guard()
                .response::<ProductResponse>(),
        )
        .get(
            Public,
            "/api/products/api/related/{id}",
            products::related,
            route("Up to four products of the same categories")
                .skip_guard()
                .response::<ProductsResponse>(),
        )
        .get(
            Public,
            "/api/products/api/filters",
            products::filters,
            route("What products can be filtered by")
                .skip_guard()
                .response::<FiltersResponse>(),
        )
        .get(
            Public,
            "/api/products",
            products::list,
            route("Visible products: all, or a part of them")
                .skip_guard()
                .query::<ProductListParams>()
                .response::<ProductListResponse>(),
        )
        .get(
            Public,
            "/api/products/{id}",
            products::get,
            route("One visible product")
                .skip_guard()
                .response::<ProductResponse>(),
        )
        .get(
            Public,
            "/api/api/products/search",
            products::search,
            route("Products by name or category")
                .skip_guard()
                .query::<products::SearchQuery>()
                .response_list::<SearchResult>(),
        );

    let api = api
        .section("Shop")
        .get(
            Public,
            "/api/shop",
            products::shop,
            route("The shop's own identity")
                .skip_guard()
                .response::<ShopResponse>(),
        )
        .post(
            Public,
            "/api/api/queries",
            contact::submit,
            route("Write to the shop")
                .request::<ContactRequest>()
                .created()
                .response::<MessageResponse>(),
        )
        .get(
            Public,
            "/api/pincode/{pincode}",
            pincode::find,
            route("District and state of a pincode")
                .skip_guard()
                .response::<PincodeResponse>(),
        );

    let api = api
        .section("Payment")
        .get(
            User,
            "/api/payment/order/db/{merchantOrderId}",
            orders::payment_result,
            route("The order behind a payment, settled if the gateway knows more")
                .response::<PaymentResultResponse>(),
        )
        .post(
            Public,
            "/api/payment/webhook/{provider}",
            webhooks::receive,
            route("The gateway's own call, signed by it")
                .header("Authorization", "The secret that both know", 200)
                .response::<SuccessResponse>(),
        );

    let api = api
        .section("Addresses")
        .get(
            User,
            "/api/addresses",
            addresses::list,
            route("Saved addresses").response::<AddressesResponse>(),
        )
        .post(
            User,
            "/api/addresses",
            addresses::add,
            route("Save an address")
                .request::<AddressRequest>()
                .created()
                .response::<AddressResponse>(),
        )
        .put(
            User,
            "/api/addresses/{id}",
            addresses::update,
            route("Change an address")
                .request::<AddressRequest>()
                .response::<AddressResponse>(),
        )
        .delete(
            User,
            "/api/addresses/{id}",
            addresses::delete,
            route("Delete an address").response::<SuccessResponse>(),
        )
        .patch(
            User,
            "/api/addresses/{id}/default",
            addresses::make_default,
            route("Make an address the default").response::<AddressResponse>(),
        )
        .get(
            User,
            "/api/user/addresses",
            addresses::list,
            route("Saved addresses").response::<AddressesResponse>(),
        )
        .post(
            User,
            "/api/user/addresses",
            addresses::add,
            route("Save an address")
                .request::<AddressRequest>()
                .created()
                .response::<AddressResponse>(),
        )
        .put(
            User,
            "/api/user/addresses/{id}",
            addresses::update,
            route("Change an address")
                .request::<AddressRequest>()
                .response::<AddressResponse>(),
        )
        .delete(
            User,
            "/api/user/addresses/{id}",
            addresses::delete,
            route("Delete an address").response::<SuccessResponse>(),
        );

    let api = api
        .section("Profile")
        .get(
            User,
            "/api/user/profile",
            profile::show,
            route("The profile").response::<UserResponse>(),
        )
        .put(
            User,
            "/api/user/profile",
            profile::update,
            route("Change the profile")
                .request::<ProfileRequest>()
                .response::<UserResponse>(),
        )
        .put(
            User,
            "/api/user/profile-picture",
            profile::set_picture,
            route("Change the profile picture")
                .request::<ProfilePictureRequest>()
                .body_limit(MAX_PROFILE_PICTURE_BODY)
                .response::<UserResponse>(),
        )
        .get(
            User,
            "/api/user/export",
            privacy::export,
            route("All that the shop knows of the person, as a file")
                .response::<UserDataResponse>(),
        )
        .delete(
            User,
            "/api/user",
            privacy::forget,
            route("Forget the person; orders stay, as the law wants").response::<SuccessResponse>(),
        );

    let api = api
        .section("Orders")
        .get(
            User,
            "/api/user/orders",
            orders::list,
            route("The shopper's orders, newest first").response::<OrdersResponse>(),
        )
        .get(
            User,
            "/api/user/orders/{id}",
            orders::get,
            route("One order").response::<OrderResponse>(),
        )
        .post(
            User,
            "/api/user/orders/{id}/pay-again",
            orders::pay_again,
            route("Order the goods of a failed order once more").response::<CheckoutResponse>(),
        );

    let api = api
        .section("Wishlist")
        .get(
            User,
            "/api/user/wishlist",
            wishlist::show,
            route("The wishlist").response::<WishlistResponse>(),
        )
        .post(
            User,
            "/api/user/wishlist/{id}",
            wishlist::add,
            route("Remember a product").response::<WishlistResponse>(),
        )
        .delete(
            User,
            "/api/user/wishlist/{id}",
            wishlist::remove,
            route("Forget a product").response::<WishlistResponse>(),
        )
        .post(
            User,
            "/api/user/wishlist/move-to-cart/{id}",
            wishlist::move_to_cart,
            route("Move a product to the cart").response::<WishlistResponse>(),
        );

    let api = admin::admin_routes(api.section("Admin"));

    api.section("Pictures").get(
        Public,
        "/images/{drawer}/{file}",
        images::get,
        route("A picture, in the size and format asked for")
            .skip_guard()
            .query::<images::ImageQuery>()
            .response_bytes("image/*"),
    )
}

/// Every call with who may make it, for the tests that try them all.
pub fn routes() -> Vec<RouteInfo> {
    route_table().finish("Mirasa").2
}

pub fn openapi() -> OpenApi {
    route_table().finish("Mirasa").1
}

/// `sandbox` holds the built-in providers' own pages, where they are switched on.
pub fn router(state: AppState, sandbox: Router) -> Router {
    let (calls, doc, _) = route_table().finish("Mirasa");
    let doc = doc.to_pretty_json().unwrap_or_default();
    calls
        .route(
            "/api/openapi.json",
            get(move || async move { ([(header::CONTENT_TYPE, "application/json")], doc) }),
        )
        .route("/api/docs", get(api_docs))
        .route("/sitemap.xml", get(seo::sitemap))
        .route("/robots.txt", get(seo::robots))
        .route("/healthz", get(health::liveness))
        .route("/readyz", get(health::readiness))
        .route("/metrics", get(health::metrics))
        .fallback(pages::fallback)
        .method_not_allowed_fallback(pages::method_not_allowed)
        .with_state(state.clone())
        .merge(sandbox)
        .layer(from_fn_with_state(state, middleware::common))
}

/// A page to read the API on: static HTML made from the description, without a script.
async fn api_docs() -> impl IntoResponse {
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    (
        [(header::CONTENT_SECURITY_POLICY, policy)],
        Html(api_docs::render(&openapi())),
    )
}
