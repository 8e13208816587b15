//! Sign-in with Google by OpenID Connect.
