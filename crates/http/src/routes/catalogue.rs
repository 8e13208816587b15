//! What every visitor may read: products, the shop's identity, pincodes, images; and the contact form.

use mirasa_app::ErrorKind::Conflict;

use crate::api::catalogue::product_list_query::ProductListParams;
use crate::api::catalogue::types::{
    FiltersResponse, ProductListResponse, ProductResponse, ProductsResponse, SearchResult,
    SuggestionsResponse,
};
use crate::api::{catalogue, messages, reports, stock};
use crate::assets::images;
use crate::cache::cached_routes::{CachedRoute, PRODUCTS, SHOP};
use crate::cache::response_cache::CachedResponse;
use crate::guard::access::Access::Public;
use crate::guard::rate_limit::limits::RateClass;
use crate::route_table::route::{Route, get, post};
use crate::settings::shop::ShopResponse;

pub fn products() -> Vec<Route> {
    let mut routes: Vec<_> = PRODUCTS.into_iter().map(from_memory).collect();
    routes.extend([
        post(Public, "/api/products/{id}/notify", stock::notices::request)
            .rate(RateClass::StockNotice)
            .summary("Request an email when a sold-out product can be bought again")
            .errors([Conflict]),
        post(
            Public,
            "/api/products/{id}/opened",
            reports::visits::product_opened,
        )
        // It stores nothing.
        .rate(RateClass::Read)
        .summary("Count that the page of a product is shown"),
        post(Public, "/api/stock-notices/stop", stock::notices::stop)
            .rate(RateClass::StockNotice)
            .summary("Stop these emails, with the token of a link in one of them"),
    ]);
    routes
}

pub fn shop() -> Vec<Route> {
    vec![
        from_memory(SHOP),
        post(Public, "/api/api/queries", messages::contact::submit)
            .rate(RateClass::Contact)
            .summary("Send a message to the shop"),
        get(Public, "/api/pincode/{pincode}", catalogue::pincode::find)
            .summary("District and state of a pincode"),
    ]
}

pub fn images() -> Vec<Route> {
    vec![
        get(Public, "/images/{folder}/{file}", images::get)
            // One page shows sixty images, and each is a copy from memory or disk.
            .rate(RateClass::Unlimited)
            .summary("An image in the requested size and format")
            .response_bytes("image/*"),
    ]
}

/// All routes with the same response are described alike.
fn from_memory(CachedRoute { path, response }: CachedRoute) -> Route {
    let handler = move |state, headers, id, query| {
        catalogue::products::cached(response, state, headers, id, query)
    };
    let route = get(Public, path, handler).cached(response);
    match response {
        CachedResponse::Shop => route
            .summary("The shop's name, contacts and identity")
            .response::<ShopResponse>(),
        CachedResponse::Trending => route
            .summary("Trending products, by rank")
            .response::<ProductsResponse>(),
        CachedResponse::ProductList => route
            .summary("Visible products, filtered, all or a page of them")
            .query::<ProductListParams>()
            .response::<ProductListResponse>(),
        CachedResponse::Product => route
            .summary("One visible product")
            .response::<ProductResponse>(),
        CachedResponse::Related => route
            .summary("Up to four products of the same categories")
            .response::<ProductsResponse>(),
        CachedResponse::Filters => route
            .summary("The filters of the product list")
            .response::<FiltersResponse>(),
        CachedResponse::Search => route
            .summary("Products by name or category")
            .query::<catalogue::products::SearchParams>()
            .response_list::<SearchResult>(),
        CachedResponse::Suggestions => route
            .summary("Products for the list under the search box")
            .query::<catalogue::products::SuggestionParams>()
            .response::<SuggestionsResponse>(),
    }
}
