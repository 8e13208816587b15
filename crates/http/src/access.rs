//! Who may make a call. Every route names its access in the route list; the guard stands before the
//! handler, so that nobody forgets the door.

use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRequestParts, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{Method, header};
use mirasa_app::secret::Secret;
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::user::{Role, User};

use crate::cookies::{self, Cookie};
use crate::error::ApiError;
use crate::shared_rate_limit::SharedCheck;
use crate::state::AppState;
use crate::{body_limits, rate_limit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    User,
    Admin,
}

impl Access {
    pub const fn as_str(self) -> &'static str {
        match self {
            Access::Public => "anyone",
            Access::User => "user",
            Access::Admin => "admin",
        }
    }
}

/// The signed-in person whom the guard let through.
#[derive(Clone)]
pub struct CurrentUser(pub User);

impl<S: Send + Sync> FromRequestParts<S> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<CurrentUser, ApiError> {
        // Absent only if a route that needs a person was listed as open to anyone, or asks for them twice.
        parts
            .extensions
            .remove::<CurrentUser>()
            .ok_or_else(|| AppError::not_authenticated().into())
    }
}

/// A call that takes longer, beside what its body may take to arrive, is given up: the database or the
/// gateway is away.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

pub async fn guard(
    access: Access,
    body_limit: usize,
    mut request: Request,
    next: Next,
) -> Response {
    DefaultBodyLimit::max(body_limit).apply(&mut request);
    let slowest = REQUEST_TIMEOUT + body_limits::max_duration(body_limit);
    let admit = admit(access, body_limit, request, next);
    let answered = tokio::time::timeout(slowest, admit).await;
    answered.unwrap_or_else(|_| {
        let error = anyhow::anyhow!("no answer within {slowest:?}");
        ApiError(AppError::unavailable(error)).into_response()
    })
}

async fn admit(access: Access, body_limit: usize, request: Request, next: Next) -> Response {
    let state = request.extensions().get::<AppState>().cloned();
    let session = state
        .as_ref()
        .and_then(|state| cookies::read(state, request.headers(), Cookie::Session));
    let me = match authenticate(access, state.as_ref(), session).await {
        Ok(me) => me,
        Err(error) => return error.into_response(),
    };
    // Only now: whoever may not come in fills no table, and is not listened to.
    if let Some(state) = &state {
        if let Some(call) = SharedCheck::of(state, &request, me.as_ref())
            && let Some(refusal) = call.refuse(state).await
        {
            return refusal;
        }
        if let Some(me) = &me
            && let Some(refusal) = rate_limit::refuse_person(state, &request, me)
        {
            return refusal;
        }
    }
    let held = body_limits::with_deadline(state.as_ref(), request, body_limit);
    let Some((mut request, arrival)) = held else {
        return rate_limit::rate_limited(Duration::from_secs(1));
    };
    if let Some(me) = me {
        request.extensions_mut().insert(CurrentUser(me));
    }
    arrival.respond(next.run(request).await)
}

/// Nobody in particular where anyone may come in.
async fn authenticate(
    access: Access,
    state: Option<&AppState>,
    session: Option<Secret>,
) -> Result<Option<User>, ApiError> {
    if access == Access::Public {
        return Ok(None);
    }
    let (Some(state), Some(session)) = (state, session) else {
        return Err(AppError::not_authenticated().into());
    };
    let user = state
        .shop
        .user_for_session(&session)
        .await?
        .ok_or_else(AppError::not_authenticated)?;
    if access == Access::Admin && user.role != Role::Admin {
        return Err(AppError::new(ErrorCode::AdminRequired, "Only an admin may do this").into());
    }
    Ok(Some(user))
}

/// A state-changing call from another site's page is refused, cookie or not. A call without an Origin
/// comes from no browser's page.
pub fn reject_cross_site(state: &AppState, request: &Request) -> Option<Response> {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let refused =
        changes && request.uri().path().starts_with("/api/") && is_cross_site(state, request);
    let why = "This call must come from the shop's own pages";
    refused.then(|| ApiError(AppError::new(ErrorCode::CrossSiteRequest, why)).into_response())
}

fn is_cross_site(state: &AppState, request: &Request) -> bool {
    let header = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if request.uri().path().starts_with("/api/payment/webhook/") {
        return false; // signed by the provider instead
    }
    if header(header::HeaderName::from_static("sec-fetch-site")) == Some("cross-site") {
        return true;
    }
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        return false;
    };
    let Ok(origin) = origin.to_str() else {
        return true;
    };
    let same_host = || {
        header(header::HOST).is_some_and(|host| {
            origin
                .split_once("://")
                .is_some_and(|(_, authority)| authority == host)
        })
    };
    state.settings.public_url != origin && !same_host()
}
