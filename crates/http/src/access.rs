//! Who may make a call. Every route names its access in the route list; the guard stands before the
//! handler, so that nobody forgets the door.

use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRequestParts, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{Method, header};
use mirasa_app::ports::storage::User;
use mirasa_app::secret::Secret;
use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::user::Role;

use crate::bodies;
use crate::cookies::{self, Cookie};
use crate::error::ApiError;
use crate::limits;
use crate::shared_limits::SharedCall;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Anyone,
    User,
    Admin,
}

impl Access {
    pub const fn as_str(self) -> &'static str {
        match self {
            Access::Anyone => "anyone",
            Access::User => "user",
            Access::Admin => "admin",
        }
    }
}

/// The signed-in person whom the guard let through.
#[derive(Clone)]
pub struct Me(pub User);

impl<S: Send + Sync> FromRequestParts<S> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Me, ApiError> {
        // Absent only if a route that needs a person was listed as open to anyone, or asks for them twice.
        parts
            .extensions
            .remove::<Me>()
            .ok_or_else(|| AppError::not_authenticated().into())
    }
}

/// A call that takes longer, beside what its body may take to arrive, is given up: the database or the
/// gateway is away.
const SLOWEST: Duration = Duration::from_secs(30);

pub async fn guard(
    access: Access,
    body_limit: usize,
    mut request: Request,
    next: Next,
) -> Response {
    DefaultBodyLimit::max(body_limit).apply(&mut request);
    let slowest = SLOWEST + bodies::longest(body_limit);
    let let_in = let_in(access, body_limit, request, next);
    let answered = tokio::time::timeout(slowest, let_in).await;
    answered.unwrap_or_else(|_| {
        let error = anyhow::anyhow!("no answer within {slowest:?}");
        ApiError(AppError::unavailable(error)).into_response()
    })
}

async fn let_in(access: Access, body_limit: usize, request: Request, next: Next) -> Response {
    let site = request.extensions().get::<Site>().cloned();
    let session = site
        .as_ref()
        .and_then(|site| cookies::read(site, request.headers(), Cookie::Session));
    let me = match who_is_allowed(access, site.as_ref(), session).await {
        Ok(me) => me,
        Err(error) => return error.into_response(),
    };
    // Only now: whoever may not come in fills no table, and is not listened to.
    if let Some(site) = &site {
        if let Some(call) = SharedCall::of(site, &request, me.as_ref())
            && let Some(refusal) = call.refuse(site).await
        {
            return refusal;
        }
        if let Some(me) = &me
            && let Some(refusal) = limits::refuse_person(site, &request, me)
        {
            return refusal;
        }
    }
    let held = bodies::hold_to_deadline(site.as_ref(), request, body_limit);
    let Some((mut request, arrival)) = held else {
        return limits::too_many(Duration::from_secs(1));
    };
    if let Some(me) = me {
        request.extensions_mut().insert(Me(me));
    }
    arrival.checked(next.run(request).await)
}

/// Nobody in particular where anyone may come in.
async fn who_is_allowed(
    access: Access,
    site: Option<&Site>,
    session: Option<Secret>,
) -> Result<Option<User>, ApiError> {
    if access == Access::Anyone {
        return Ok(None);
    }
    let (Some(site), Some(session)) = (site, session) else {
        return Err(AppError::not_authenticated().into());
    };
    let user = site
        .shop
        .user_for_session(&session)
        .await?
        .ok_or_else(AppError::not_authenticated)?;
    if access == Access::Admin && user.role != Role::Admin {
        return Err(AppError::new(ErrorKind::Forbidden, "Only an admin may do this").into());
    }
    Ok(Some(user))
}

/// A state-changing call from another site's page is refused, cookie or not. A call without an Origin
/// comes from no browser's page.
pub fn refuse_foreign(site: &Site, request: &Request) -> Option<Response> {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let refused = changes && request.uri().path().starts_with("/api/") && is_foreign(site, request);
    let why = "This call must come from the shop's own pages";
    refused.then(|| ApiError(AppError::new(ErrorKind::Forbidden, why)).into_response())
}

fn is_foreign(site: &Site, request: &Request) -> bool {
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
    site.settings.public_url != origin && !same_host()
}
