//! The profile calls.

use axum::extract::{FromRequest as _, Request, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::user::Profile;

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::upload_gate::Uploader;
use crate::wire::people::{ProfileBody, ProfilePictureBody, UserAnswer};

pub async fn show(Me(user): Me) -> Json<UserAnswer> {
    Json(UserAnswer { user: user.into() })
}

pub async fn update(
    State(site): State<Site>,
    Me(user): Me,
    Json(body): Json<ProfileBody>,
) -> Answer<Json<UserAnswer>> {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let profile = Profile::parse(
        &body.name,
        &text(&body.phone),
        &text(&body.date_of_birth),
        &text(&body.gender),
    )
    .map_err(AppError::from)?;
    let user = site.shop.update_profile(&user.id, profile).await?;
    Ok(Json(UserAnswer { user: user.into() }))
}

pub async fn set_picture(
    State(site): State<Site>,
    Me(user): Me,
    request: Request,
) -> Answer<Json<UserAnswer>> {
    let gate = site
        .upload_gate
        .enter(Uploader::Customer, request.headers());
    let body_memory = gate.await?;
    let Json(body) = Json::<ProfilePictureBody>::from_request(request, &site).await?;
    let not_a_picture = || {
        AppError::new(
            ErrorKind::UnsupportedMediaType,
            "profilePicture must be a data: address of a picture",
        )
    };
    let (kind, data) = body
        .profile_picture
        .split_once(";base64,")
        .ok_or_else(not_a_picture)?;
    if !kind.starts_with("data:image/") {
        return Err(not_a_picture().into());
    }
    let bytes = STANDARD.decode(data).map_err(|_| not_a_picture())?;
    drop(body);
    let saving = tokio::spawn(async move {
        let _body_memory = body_memory;
        site.shop.set_profile_picture(&user.id, bytes).await
    });
    let user = saving.await.map_err(AppError::internal)??;
    Ok(Json(UserAnswer { user: user.into() }))
}
