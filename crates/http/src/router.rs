//! Every address of the shop, top to bottom, in the spec's order. Its odd paths stand here and nowhere
//! else.

mod desk;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use http::{HeaderValue, header};
use utoipa::openapi::OpenApi;

use crate::access::Access::{Anyone, User};
use crate::api_doc::{Api, RouteInfo, call};
use crate::shelf_query::ShelfParameters;
use crate::site::Site;
use crate::wire::cart::{AddToCart, CartAnswer, UpdateCart, WishlistAnswer};
use crate::wire::order::{
    CheckoutAnswer, CheckoutBody, OrderAnswer, OrdersAnswer, PaidOrderAnswer,
};
use crate::wire::people::{
    AddressAnswer, AddressBody, AddressesAnswer, AuthAnswer, PincodeAnswer, ProfileBody,
    ProfilePictureBody, QueryBody, UserAnswer,
};
use crate::wire::privacy::PersonalData;
use crate::wire::product::{
    FiltersAnswer, ProductAnswer, ProductsAnswer, SearchResult, ShelfAnswer,
};
use crate::wire::shop::ShopAnswer;
use crate::wire::{Done, DoneWithMessage};
use crate::{
    addresses, api_page, auth, cart, contact, found, health, orders, pages, pictures, pincode,
    privacy, products, profile, security, userinfo, wishlist,
};

const PICTURE_BODY: usize = 8 * 1024 * 1024;

fn api() -> Api<Site> {
    let api = Api::new();

    let api = api
        .section("Cart")
        .post(
            User,
            "/api/cart/add-to-cart",
            cart::add,
            call("Add packs of a product")
                .takes::<AddToCart>()
                .gives::<CartAnswer>(),
        )
        .get(
            User,
            "/api/cart/cart",
            cart::show,
            call("The cart, priced as of now").gives::<CartAnswer>(),
        )
        .put(
            User,
            "/api/cart/update",
            cart::update,
            call("Set the packs of a product")
                .takes::<UpdateCart>()
                .gives::<CartAnswer>(),
        )
        .delete(
            User,
            "/api/cart/remove/{productId}",
            cart::remove,
            call("Remove a product").gives::<CartAnswer>(),
        )
        .delete(
            User,
            "/api/cart/api/cart/clear",
            cart::clear,
            call("Empty the cart").gives::<CartAnswer>(),
        )
        .post(
            User,
            "/api/cart/checkout",
            orders::check_out,
            call("Order what is in the cart; answers where to pay")
                .header("Idempotency-Key", "Makes a repeat harmless", 200)
                .may_refuse("422", "The key was used for another request")
                .takes::<CheckoutBody>()
                .gives::<CheckoutAnswer>(),
        );

    let api = api
        .section("Sign-in")
        .get(
            Anyone,
            "/api/auth/check-auth",
            userinfo::check,
            call("Whether somebody is signed in").gives::<AuthAnswer>(),
        )
        .get(
            User,
            "/api/userinfo",
            profile::show,
            call("Who is signed in").gives::<UserAnswer>(),
        )
        .get(
            Anyone,
            "/api/auth/google/login",
            auth::login,
            call("Go to Google").query::<auth::LoginQuery>().redirects(),
        )
        .get(
            Anyone,
            "/api/auth/google/callback",
            auth::callback,
            call("Come back from Google")
                .query::<auth::CallbackQuery>()
                .redirects(),
        )
        .get(
            Anyone,
            "/api/auth/logout",
            auth::logout,
            call("Sign out").redirects(),
        )
        .post(
            User,
            "/api/auth/logout-everywhere",
            auth::logout_everywhere,
            call("Sign out on every device").gives::<Done>(),
        );

    let api = api
        .section("Products")
        .get(
            Anyone,
            "/api/products/api/trending",
            products::trending,
            call("Trending products, by rank")
                .kept_in_memory()
                .gives::<ProductsAnswer>(),
        )
        .get(
            Anyone,
            "/api/products/api/productInfo",
            products::all,
            call("Visible products: all, or a part of them")
                .kept_in_memory()
                .query::<ShelfParameters>()
                .gives::<ShelfAnswer>(),
        )
        .get(
            Anyone,
            "/api/products/api/productInfo/{id}",
            products::one,
            call("One visible product")
                .kept_in_memory()
                .gives::<ProductAnswer>(),
        )
        .get(
            Anyone,
            "/api/products/api/related/{id}",
            products::related,
            call("Up to four products of the same categories")
                .kept_in_memory()
                .gives::<ProductsAnswer>(),
        )
        .get(
            Anyone,
            "/api/products/api/filters",
            products::filters,
            call("What products can be filtered by")
                .kept_in_memory()
                .gives::<FiltersAnswer>(),
        )
        .get(
            Anyone,
            "/api/products",
            products::all,
            call("Visible products: all, or a part of them")
                .kept_in_memory()
                .query::<ShelfParameters>()
                .gives::<ShelfAnswer>(),
        )
        .get(
            Anyone,
            "/api/products/{id}",
            products::one,
            call("One visible product")
                .kept_in_memory()
                .gives::<ProductAnswer>(),
        )
        .get(
            Anyone,
            "/api/api/products/search",
            products::search,
            call("Products by name or category")
                .kept_in_memory()
                .query::<products::SearchQuery>()
                .gives_list::<SearchResult>(),
        );

    let api = api
        .section("Shop")
        .get(
            Anyone,
            "/api/shop",
            products::shop,
            call("The shop's own identity")
                .kept_in_memory()
                .gives::<ShopAnswer>(),
        )
        .post(
            Anyone,
            "/api/api/queries",
            contact::keep,
            call("Write to the shop")
                .takes::<QueryBody>()
                .creates()
                .gives::<DoneWithMessage>(),
        )
        .get(
            Anyone,
            "/api/pincode/{pincode}",
            pincode::find,
            call("District and state of a pincode")
                .kept_in_memory()
                .gives::<PincodeAnswer>(),
        );

    let api = api
        .section("Payment")
        .get(
            User,
            "/api/payment/order/db/{merchantOrderId}",
            orders::paid_order,
            call("The order behind a payment, settled if the gateway knows more")
                .gives::<PaidOrderAnswer>(),
        )
        .post(
            Anyone,
            "/api/payment/webhook/{provider}",
            orders::webhook,
            call("The gateway's own call, signed by it")
                .header("Authorization", "The secret that both know", 200)
                .gives::<Done>(),
        );

    let api = api
        .section("Addresses")
        .get(
            User,
            "/api/addresses",
            addresses::list,
            call("Saved addresses").gives::<AddressesAnswer>(),
        )
        .post(
            User,
            "/api/addresses",
            addresses::add,
            call("Save an address")
                .takes::<AddressBody>()
                .creates()
                .gives::<AddressAnswer>(),
        )
        .put(
            User,
            "/api/addresses/{id}",
            addresses::update,
            call("Change an address")
                .takes::<AddressBody>()
                .gives::<AddressAnswer>(),
        )
        .delete(
            User,
            "/api/addresses/{id}",
            addresses::delete,
            call("Delete an address").gives::<Done>(),
        )
        .patch(
            User,
            "/api/addresses/{id}/default",
            addresses::make_default,
            call("Make an address the default").gives::<AddressAnswer>(),
        )
        .get(
            User,
            "/api/user/addresses",
            addresses::list,
            call("Saved addresses").gives::<AddressesAnswer>(),
        )
        .post(
            User,
            "/api/user/addresses",
            addresses::add,
            call("Save an address")
                .takes::<AddressBody>()
                .creates()
                .gives::<AddressAnswer>(),
        )
        .put(
            User,
            "/api/user/addresses/{id}",
            addresses::update,
            call("Change an address")
                .takes::<AddressBody>()
                .gives::<AddressAnswer>(),
        )
        .delete(
            User,
            "/api/user/addresses/{id}",
            addresses::delete,
            call("Delete an address").gives::<Done>(),
        );

    let api = api
        .section("Profile")
        .get(
            User,
            "/api/user/profile",
            profile::show,
            call("The profile").gives::<UserAnswer>(),
        )
        .put(
            User,
            "/api/user/profile",
            profile::update,
            call("Change the profile")
                .takes::<ProfileBody>()
                .gives::<UserAnswer>(),
        )
        .put(
            User,
            "/api/user/profile-picture",
            profile::set_picture,
            call("Change the profile picture")
                .takes::<ProfilePictureBody>()
                .body_limit(PICTURE_BODY)
                .gives::<UserAnswer>(),
        )
        .get(
            User,
            "/api/user/export",
            privacy::export,
            call("All that the shop knows of the person, as a file").gives::<PersonalData>(),
        )
        .delete(
            User,
            "/api/user",
            privacy::forget,
            call("Forget the person; orders stay, as the law wants").gives::<Done>(),
        );

    let api = api
        .section("Orders")
        .get(
            User,
            "/api/user/orders",
            orders::list,
            call("The shopper's orders, newest first").gives::<OrdersAnswer>(),
        )
        .get(
            User,
            "/api/user/orders/{id}",
            orders::one,
            call("One order").gives::<OrderAnswer>(),
        )
        .post(
            User,
            "/api/user/orders/{id}/pay-again",
            orders::pay_again,
            call("Order the goods of a failed order once more").gives::<CheckoutAnswer>(),
        );

    let api = api
        .section("Wishlist")
        .get(
            User,
            "/api/user/wishlist",
            wishlist::show,
            call("The wishlist").gives::<WishlistAnswer>(),
        )
        .post(
            User,
            "/api/user/wishlist/{id}",
            wishlist::add,
            call("Remember a product").gives::<WishlistAnswer>(),
        )
        .delete(
            User,
            "/api/user/wishlist/{id}",
            wishlist::remove,
            call("Forget a product").gives::<WishlistAnswer>(),
        )
        .post(
            User,
            "/api/user/wishlist/move-to-cart/{id}",
            wishlist::move_to_cart,
            call("Move a product to the cart").gives::<WishlistAnswer>(),
        );

    let api = desk::calls(api.section("Admin"));

    api.section("Pictures").get(
        Anyone,
        "/images/{drawer}/{file}",
        pictures::show,
        call("A picture, in the size and format asked for")
            .kept_in_memory()
            .query::<pictures::PictureQuery>()
            .gives_bytes("image/*"),
    )
}

/// Every call with who may make it, for the tests that try them all.
pub fn routes() -> Vec<RouteInfo> {
    api().finish("Mirasa").2
}

pub fn openapi() -> OpenApi {
    api().finish("Mirasa").1
}

/// `sandbox` holds the built-in providers' own pages, where they are switched on.
pub fn router(site: Site, sandbox: Router) -> Router {
    let (calls, doc, _) = api().finish("Mirasa");
    let doc = doc.to_pretty_json().unwrap_or_default();
    calls
        .route(
            "/api/openapi.json",
            get(move || async move { ([(header::CONTENT_TYPE, "application/json")], doc) }),
        )
        .route("/api/docs", get(read_api))
        .route("/sitemap.xml", get(found::sitemap))
        .route("/robots.txt", get(found::robots))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .fallback(pages::fallback)
        .method_not_allowed_fallback(pages::method_not_allowed)
        .with_state(site.clone())
        .merge(sandbox)
        .layer(from_fn_with_state(site, security::wrap))
}

/// A page to read the API on: static HTML made from the description, without a script.
async fn read_api() -> impl IntoResponse {
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    (
        [(header::CONTENT_SECURITY_POLICY, policy)],
        Html(api_page::page(&openapi())),
    )
}
