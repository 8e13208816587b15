//! What is checked of a request before its handler runs, as its line in the route table states it.

pub mod access;
pub mod body_limits;
pub mod checkout_queue;
pub mod csrf;
pub mod local_only;
pub mod rate_limit;
pub mod security_headers;
pub mod upload_gate;

use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mirasa_app::secret::Secret;
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::user::{Role, User};

use crate::error::ApiError;
use crate::extract::cookies::{self, Cookie};
use crate::guard::access::{Access, CurrentUser};
use crate::guard::rate_limit::check::{SharedCheck, check_user, rate_limited};
use crate::route_table::route_info::RouteInfo;
use crate::state::AppState;

/// A request that takes longer, apart from the time that its body may take to arrive, is given up: the database or the
/// gateway does not respond.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

pub async fn guard(
    State((state, route)): State<(AppState, RouteInfo)>,
    mut request: Request,
    next: Next,
) -> Response {
    DefaultBodyLimit::max(route.body_limit).apply(&mut request);
    let timeout = REQUEST_TIMEOUT + body_limits::max_duration(route.body_limit);
    let response = tokio::time::timeout(timeout, admit(&state, route, request, next)).await;
    response.unwrap_or_else(|_| {
        let error = anyhow::anyhow!("no response within {timeout:?}");
        ApiError(AppError::unavailable(error)).into_response()
    })
}

async fn admit(state: &AppState, route: RouteInfo, request: Request, next: Next) -> Response {
    let session = cookies::read(&state.settings, request.headers(), Cookie::Session);
    let user = match authenticate(state, route.access, session).await {
        Ok(user) => user,
        Err(error) => return error.into_response(),
    };
    // After authentication: a rejected client must not fill the table of shared limits, and its body is not read.
    let limits = route.rate_class.limits();
    if let Some(check) = SharedCheck::of(state, limits, &request, user.as_ref())
        && let Some(rejection) = check.take_token(state).await
    {
        return rejection;
    }
    if let Some(user) = &user
        && let Some(rejection) = check_user(state, limits, user)
    {
        return rejection;
    }
    let (limiter, settings) = (&state.body_limiter, &state.settings);
    let limited = body_limits::with_deadline(limiter, settings, request, route.body_limit);
    let Some((mut request, deadline)) = limited else {
        return rate_limited(Duration::from_secs(1));
    };
    if let Some(user) = user {
        request.extensions_mut().insert(CurrentUser(user));
    }
    deadline.respond(next.run(request).await)
}

/// None for a public route.
async fn authenticate(
    state: &AppState,
    access: Access,
    session: Option<Secret>,
) -> Result<Option<User>, ApiError> {
    if access == Access::Public {
        return Ok(None);
    }
    let session = session.ok_or_else(AppError::not_authenticated)?;
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
