//! Who may use a route. Each line of the route table states it, and the guard checks it before the handler runs.

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
use crate::pages::is_api_path;
use crate::route_table::{Matched, RouteInfo};
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

/// The signed-in user, set by the guard.
#[derive(Clone)]
pub struct CurrentUser(pub User);

impl<S: Send + Sync> FromRequestParts<S> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<CurrentUser, ApiError> {
        // Absent only if the route is public, or if a handler extracts it twice.
        parts
            .extensions
            .remove::<CurrentUser>()
            .ok_or_else(|| AppError::not_authenticated().into())
    }
}

/// A request that takes longer, apart from the time that its body may take to arrive, is given up: the database or the
/// gateway does not respond.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

pub async fn guard(route: RouteInfo, mut request: Request, next: Next) -> Response {
    DefaultBodyLimit::max(route.body_limit).apply(&mut request);
    let timeout = REQUEST_TIMEOUT + body_limits::max_duration(route.body_limit);
    let response = tokio::time::timeout(timeout, admit(route, request, next)).await;
    response.unwrap_or_else(|_| {
        let error = anyhow::anyhow!("no response within {timeout:?}");
        ApiError(AppError::unavailable(error)).into_response()
    })
}

async fn admit(route: RouteInfo, request: Request, next: Next) -> Response {
    let state = request.extensions().get::<AppState>().cloned();
    let session = state
        .as_ref()
        .and_then(|state| cookies::read(state, request.headers(), Cookie::Session));
    let user = match authenticate(route.access, state.as_ref(), session).await {
        Ok(user) => user,
        Err(error) => return error.into_response(),
    };
    // After authentication: a rejected client must not fill the table of shared limits, and its body is not read.
    if let Some(state) = &state {
        let limits = route.rate_class.limits();
        if let Some(check) = SharedCheck::of(state, limits, &request, user.as_ref())
            && let Some(rejection) = check.reject_if_empty(state).await
        {
            return rejection;
        }
        if let Some(user) = &user
            && let Some(rejection) = rate_limit::check_user(state, limits, user)
        {
            return rejection;
        }
    }
    let limited = body_limits::with_deadline(state.as_ref(), request, route.body_limit);
    let Some((mut request, deadline)) = limited else {
        return rate_limit::rate_limited(Duration::from_secs(1));
    };
    if let Some(user) = user {
        request.extensions_mut().insert(CurrentUser(user));
    }
    deadline.respond(next.run(request).await)
}

/// None for a public route.
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

/// Rejects a state-changing request from another site's page, with or without a cookie. A request without an Origin
/// header does not come from a page in a browser.
pub fn reject_cross_site(
    state: &AppState,
    route: &Matched<'_>,
    request: &Request,
) -> Option<Response> {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let is_checked = match route {
        Matched::Route(route) => !route.allows_cross_site,
        Matched::Other => is_api_path(request.uri().path()),
        Matched::Sandbox => false,
    };
    let rejected = changes && is_checked && is_cross_site(state, request);
    let message = "This call must come from the shop's own pages";
    rejected.then(|| ApiError(AppError::new(ErrorCode::CrossSiteRequest, message)).into_response())
}

fn is_cross_site(state: &AppState, request: &Request) -> bool {
    let header = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
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
