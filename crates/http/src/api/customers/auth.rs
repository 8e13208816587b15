//! Sign-in and sign-out.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use mirasa_app::customers::sign_in::SignInIntent;
use mirasa_app::repository::customers::sessions::SignInOutcome;
use mirasa_app::secret::Secret;
use mirasa_app::{AppError, ErrorCode, ErrorKind};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use url::{Position, Url};
use utoipa::IntoParams;

use crate::api::types::SuccessResponse;
use crate::error::{ApiError, ApiResult};
use crate::extract::cookies::{self, Cookie};
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::pages::page_routes;
use crate::state::AppState;

const SIGN_IN_SECONDS: u32 = 600;
const DAY_SECONDS: u32 = 24 * 60 * 60;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct LoginQuery {
    /// The page to return to.
    return_to: Option<String>,
    /// The cart item that the visitor wanted to add: `{productId}:{packs of 50 g}:{packs of 100 g}`.
    add: Option<String>,
    /// Passed to the provider, as in OpenID Connect.
    #[serde(rename = "login_hint")]
    login_hint: Option<String>,
}

pub async fn login(
    State(state): State<AppState>,
    headers: HeaderMap,
    uri: Uri,
    Query(query): Query<LoginQuery>,
) -> ApiResult<Response> {
    if let Some(url) = canonical_url(&state, &headers, &uri, &query) {
        return Ok(Redirect::to(&url).into_response());
    }
    let intent = SignInIntent {
        return_to: query
            .return_to
            .as_deref()
            .and_then(page_to_return_to)
            .unwrap_or_else(|| "/".into()),
        add_to_cart: query.add.as_deref().and_then(parse_cart_item),
    };
    let return_to = intent.return_to.clone();
    let begun = match state.shop.begin_sign_in(intent, query.login_hint).await {
        // The browser shows the response to the visitor, so it is a page and not JSON.
        Err(error) if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Busy) => {
            tracing::warn!(error = ?error.source, "sign-in could not begin: {}", error.message);
            let target = with_parameter(&return_to, "signIn=unavailable");
            return Ok((no_store(), redirect_to(&target)).into_response());
        }
        begun => begun?,
    };
    let cookie = cookies::set(
        &state.settings,
        Cookie::SignIn {
            state_hash: &begun.state_hash,
        },
        &begun.browser,
        SIGN_IN_SECONDS,
    );
    Ok((
        no_store(),
        [(header::SET_COOKIE, cookie)],
        Redirect::to(&begun.url),
    )
        .into_response())
}

/// The provider returns to the configured URL, so the cookie must be set for its host. A visitor who came by another host
/// name is redirected there first.
fn canonical_url(
    state: &AppState,
    headers: &HeaderMap,
    uri: &Uri,
    query: &LoginQuery,
) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let public = Url::parse(&state.settings.public_url).ok()?;
    let authority = public.port().map_or_else(
        || public.host_str().unwrap_or_default().to_owned(),
        |port| format!("{}:{port}", public.host_str().unwrap_or_default()),
    );
    if host == authority || headers.contains_key("x-forwarded-host") {
        return None;
    }
    let mut target = public.join(uri.path()).ok()?;
    let pairs = [
        ("returnTo", &query.return_to),
        ("add", &query.add),
        ("login_hint", &query.login_hint),
    ];
    target.query_pairs_mut().extend_pairs(
        pairs
            .into_iter()
            .filter_map(|(key, value)| value.as_ref().map(|value| (key, value))),
    );
    Some(target.into())
}

/// A page of the shop, resolved as a browser resolves it: dot segments are removed and line breaks are ignored. None for
/// everything else, also for API routes, which could change something.
fn page_to_return_to(text: &str) -> Option<String> {
    let shop = Url::parse("http://shop.invalid/").ok()?;
    let landed = shop.join(text).ok()?;
    let is_ours = text.starts_with('/') && landed.origin() == shop.origin();
    (is_ours && page_routes::is_page(landed.path()))
        .then(|| landed[Position::BeforePath..].to_owned())
}

pub(crate) fn parse_cart_item(text: &str) -> Option<(ProductId, Packs)> {
    let mut parts = text.rsplitn(3, ':');
    let of_100g = parts.next()?.parse().ok()?;
    let of_50g = parts.next()?.parse().ok()?;
    let packs = Packs { of_50g, of_100g };
    (!packs.is_empty()).then(|| Some((ProductId(parts.next()?.to_owned()), packs)))?
}

#[derive(Deserialize, IntoParams)]
pub struct CallbackQuery {
    state: Option<String>,
    code: Option<String>,
    /// Set by the provider when the user declined.
    error: Option<String>,
}

/// The browser returns from the provider. Whatever the result, the user gets the page on which the sign-in began.
pub async fn callback(
    State(state): State<AppState>,
    headers: HeaderMap,
    Query(query): Query<CallbackQuery>,
) -> Response {
    let oauth_state = query.state.unwrap_or_default();
    let state_hash = Secret::from_text(&oauth_state).hash();
    let cookie = Cookie::SignIn {
        state_hash: &state_hash,
    };
    let browser = cookies::read(&state.settings, &headers, cookie);
    let finished = match query.code {
        Some(code) if query.error.is_none() => {
            state.shop.finish_sign_in(&oauth_state, code, browser).await
        }
        _ => state.shop.abandon_sign_in(&oauth_state).await,
    };
    let parameter = match finished.outcome {
        SignInOutcome::SignedIn { added_to_cart } => added_to_cart.map(added_parameter),
        // Back to the provider's page and forward again, or a second tab: nothing went wrong for this user.
        _ if is_signed_in(&state, &headers).await => None,
        SignInOutcome::Refused => Some("signIn=refused"),
        SignInOutcome::Unavailable => Some("signIn=unavailable"),
    };
    let target = match parameter {
        Some(parameter) => with_parameter(&finished.return_to, parameter),
        None => finished.return_to,
    };
    let mut response = (no_store(), redirect_to(&target)).into_response();
    if let Some(session) = finished.session {
        let max_age = state.shop.settings.session_days.saturating_mul(DAY_SECONDS);
        let cookie = cookies::set(&state.settings, Cookie::Session, &session, max_age);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    // The cookie of the sign-in stays until it expires: the browser may send the callback again.
    response
}

async fn is_signed_in(state: &AppState, headers: &HeaderMap) -> bool {
    let Some(session) = cookies::read(&state.settings, headers, Cookie::Session) else {
        return false;
    };
    let user = state.shop.user_for_session(&session).await;
    user.is_ok_and(|user| user.is_some())
}

/// Headers are ASCII: other characters, such as a search in Devanagari, are percent-encoded.
fn redirect_to(target: &str) -> Redirect {
    Redirect::to(&utf8_percent_encode(target, CONTROLS).to_string())
}

/// Tells the page whether the item was added to the cart.
fn added_parameter(is_added: bool) -> &'static str {
    if is_added { "added=1" } else { "added=0" }
}

fn with_parameter(return_to: &str, parameter: &str) -> String {
    let (path, fragment) = return_to
        .split_once('#')
        .map_or((return_to, None), |(path, fragment)| (path, Some(fragment)));
    let joint = if path.contains('?') { '&' } else { '?' };
    let fragment = fragment
        .map(|fragment| format!("#{fragment}"))
        .unwrap_or_default();
    format!("{path}{joint}{parameter}{fragment}")
}

pub async fn logout(State(state): State<AppState>, headers: HeaderMap) -> ApiResult<Response> {
    // Another site's page must not sign the user out.
    let cross_site = headers
        .get("sec-fetch-site")
        .is_some_and(|value| value == "cross-site");
    if cross_site {
        return Err(ApiError(AppError::new(
            ErrorCode::CrossSiteRequest,
            "This call must come from the shop's own pages",
        )));
    }
    if let Some(session) = cookies::read(&state.settings, &headers, Cookie::Session) {
        state.shop.sign_out(&session).await?;
    }
    let cookie = cookies::clear(&state.settings, Cookie::Session);
    Ok((
        no_store(),
        [(header::SET_COOKIE, cookie)],
        Redirect::to("/"),
    )
        .into_response())
}

pub async fn logout_everywhere(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<([(HeaderName, HeaderValue); 1], Json<SuccessResponse>)> {
    state.shop.sign_out_everywhere(&user.id).await?;
    let cookie = cookies::clear(&state.settings, Cookie::Session);
    let headers = [(header::SET_COOKIE, cookie)];
    Ok((headers, Json(SuccessResponse { success: true })))
}

fn no_store() -> [(HeaderName, HeaderValue); 1] {
    [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn return_path_is_a_page_and_never_an_api_route() {
        for (asked, page) in [
            ("/", "/"),
            ("/wishlist", "/wishlist"),
            ("/product/goda-masala?x=1#y", "/product/goda-masala?x=1#y"),
            ("/./checkout", "/checkout"),
            (
                "/api/payment/redirect?merchantOrderId=M1",
                "/api/payment/redirect?merchantOrderId=M1",
            ),
        ] {
            assert_eq!(page_to_return_to(asked).as_deref(), Some(page), "{asked}");
        }
        for call in [
            "/api/auth/logout",
            "/./api/auth/logout",
            "/x/../api/auth/logout",
            "/%2e/api/auth/logout",
            "/product/%2E%2e/api/auth/logout",
            "/.\t/api/auth/logout",
            "/\\..\\api/auth/logout",
            "/api/auth/google/login",
            "/sandbox/mail",
            "/healthz",
            "/no/such/page",
            "//evil.example/wishlist",
            "/.//evil.example",
            "https://evil.example/wishlist",
            "wishlist",
            "",
        ] {
            assert_eq!(page_to_return_to(call), None, "{call}");
        }
    }

    #[test]
    fn cart_item_is_parsed_and_reported() {
        let wanted = parse_cart_item("goda-masala:2:1");
        assert_eq!(
            wanted,
            Some((
                ProductId("goda-masala".into()),
                Packs {
                    of_50g: 2,
                    of_100g: 1
                }
            ))
        );
        for bad in [
            "",
            "goda-masala",
            "goda-masala:1",
            "goda-masala:0:0",
            "goda-masala:-1:0",
            "a:b:c",
        ] {
            assert_eq!(parse_cart_item(bad), None, "{bad}");
        }
        assert_eq!(
            with_parameter("/product/x", added_parameter(true)),
            "/product/x?added=1"
        );
        assert_eq!(
            with_parameter("/p?a=b#c", added_parameter(false)),
            "/p?a=b&added=0#c"
        );
    }
}
