//! What a person may ask for: all that the shop knows of them, and to be forgotten.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;

use crate::access::Me;
use crate::cookies::{self, Cookie};
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::Done;
use crate::wire::iso;
use crate::wire::privacy::PersonalData;

/// One file, as a download.
pub async fn export(State(site): State<Site>, Me(user): Me) -> Answer<Response> {
    let now_ms = site.shop.now_ms();
    let dossier = site.shop.export_user_data(&user).await?;
    let day = iso(now_ms).chars().take(10).collect::<String>();
    let headers = [
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"my-data_{day}.json\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    let data = PersonalData::new(dossier, &site.shop.catalogue.snapshot(), now_ms);
    Ok((headers, Json(data)).into_response())
}

pub async fn forget(State(site): State<Site>, Me(user): Me) -> Answer<Response> {
    site.shop.delete_account(&user.id).await?;
    let cookie = cookies::clear(&site, Cookie::Session);
    Ok(([(header::SET_COOKIE, cookie)], Json(Done { success: true })).into_response())
}
