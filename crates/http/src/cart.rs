//! The cart calls. Each answers with the whole cart.

use axum::extract::{Path, State};

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::cart::{AddToCart, CartAnswer, UpdateCart, product_id};

pub async fn show(State(site): State<Site>, Me(user): Me) -> Answer<Json<CartAnswer>> {
    Ok(Json(site.shop.cart(&user.id).await?.into()))
}

pub async fn add(
    State(site): State<Site>,
    Me(user): Me,
    Json(body): Json<AddToCart>,
) -> Answer<Json<CartAnswer>> {
    let (product, packs) = body.parse()?;
    Ok(Json(
        site.shop
            .add_to_cart(&user.id, product, packs)
            .await?
            .into(),
    ))
}

pub async fn update(
    State(site): State<Site>,
    Me(user): Me,
    Json(body): Json<UpdateCart>,
) -> Answer<Json<CartAnswer>> {
    let version = body.version;
    let (product, packs) = body.parse()?;
    Ok(Json(
        site.shop
            .update_cart(&user.id, product, packs, version)
            .await?
            .into(),
    ))
}

pub async fn remove(
    State(site): State<Site>,
    Me(user): Me,
    Path(product): Path<String>,
) -> Answer<Json<CartAnswer>> {
    let product = product_id(product, "Product ID is required to remove item from cart")?;
    Ok(Json(
        site.shop.remove_from_cart(&user.id, product).await?.into(),
    ))
}

pub async fn clear(State(site): State<Site>, Me(user): Me) -> Answer<Json<CartAnswer>> {
    Ok(Json(site.shop.clear_cart(&user.id).await?.into()))
}
