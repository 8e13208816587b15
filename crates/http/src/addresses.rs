//! The address calls; both of the spec's families come here.

use axum::extract::{Path, State};
use http::StatusCode;

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::Done;
use crate::wire::people::{AddressAnswer, AddressBody, AddressWire, AddressesAnswer};

pub async fn list(State(site): State<Site>, Me(user): Me) -> Answer<Json<AddressesAnswer>> {
    let addresses = site
        .shop
        .addresses(&user.id)
        .await?
        .into_iter()
        .map(AddressWire::from)
        .collect();
    Ok(Json(AddressesAnswer { addresses }))
}

pub async fn add(
    State(site): State<Site>,
    Me(user): Me,
    Json(body): Json<AddressBody>,
) -> Answer<(StatusCode, Json<AddressAnswer>)> {
    let is_default = body.is_default;
    let saved = site
        .shop
        .add_address(&user.id, &body.into(), is_default)
        .await?;
    Ok((
        StatusCode::CREATED,
        Json(AddressAnswer {
            address: saved.into(),
        }),
    ))
}

pub async fn update(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
    Json(body): Json<AddressBody>,
) -> Answer<Json<AddressAnswer>> {
    let is_default = body.is_default;
    let saved = site
        .shop
        .update_address(&user.id, id, &body.into(), is_default)
        .await?;
    Ok(Json(AddressAnswer {
        address: saved.into(),
    }))
}

pub async fn make_default(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<AddressAnswer>> {
    let saved = site.shop.make_default_address(&user.id, id).await?;
    Ok(Json(AddressAnswer {
        address: saved.into(),
    }))
}

pub async fn delete(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<Done>> {
    site.shop.delete_address(&user.id, id).await?;
    Ok(Json(Done { success: true }))
}
