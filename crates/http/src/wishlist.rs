//! The wishlist calls. Each answers with the whole wishlist.

use axum::extract::{Path, State};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::cart::{WishWire, WishlistAnswer};

async fn answer(site: &Site, user: &UserId) -> Answer<Json<WishlistAnswer>> {
    let wishlist = site
        .shop
        .wishlist(user)
        .await?
        .iter()
        .map(|product| WishWire::from(&**product))
        .collect();
    Ok(Json(WishlistAnswer {
        success: true,
        wishlist,
    }))
}

pub async fn show(State(site): State<Site>, Me(user): Me) -> Answer<Json<WishlistAnswer>> {
    answer(&site, &user.id).await
}

pub async fn add(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<WishlistAnswer>> {
    site.shop.add_to_wishlist(&user.id, ProductId(id)).await?;
    answer(&site, &user.id).await
}

pub async fn remove(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<WishlistAnswer>> {
    site.shop
        .remove_from_wishlist(&user.id, ProductId(id))
        .await?;
    answer(&site, &user.id).await
}

pub async fn move_to_cart(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<WishlistAnswer>> {
    site.shop.move_to_cart(&user.id, ProductId(id)).await?;
    answer(&site, &user.id).await
}
