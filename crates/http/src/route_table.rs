//! Builds the router and its OpenAPI description from one line per call, so that the two cannot
//! differ. The lines themselves are in `router`.

use std::convert::Infallible;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodFilter, on};
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, Info, OpenApi, Ref, RefOr, Required, Schema,
};
use utoipa::{IntoParams, ToSchema};

use crate::access::{Access, guard};
use crate::dto::ErrorBody;

/// What the description calls the session's cookie.
const SESSION: &str = "session";

/// Larger bodies need a word of their own in the route list.
const DEFAULT_BODY_LIMIT: usize = 256 * 1024;

/// One call of the shop, for whoever wants to try them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteInfo {
    pub method: &'static str,
    pub path: &'static str,
    pub access: Access,
}

/// What a call is for, takes and gives.
pub struct Route {
    summary: &'static str,
    status: u16,
    body: Option<(RefOr<Schema>, &'static str)>,
    answer: Option<(RefOr<Schema>, &'static str)>,
    parameters: Vec<Parameter>,
    schemas: Vec<(String, RefOr<Schema>)>,
    own_errors: Vec<(&'static str, &'static str)>,
    body_limit: usize,
    skip_guard: bool,
}

pub fn route(summary: &'static str) -> Route {
    Route {
        summary,
        status: 200,
        body: None,
        answer: None,
        parameters: Vec::new(),
        schemas: Vec::new(),
        own_errors: Vec::new(),
        body_limit: DEFAULT_BODY_LIMIT,
        skip_guard: false,
    }
}

impl Route {
    pub fn request<T: ToSchema>(mut self) -> Route {
        self.body = Some((self.reference::<T>(), "application/json"));
        self
    }

    /// A form with any number of files under this name.
    pub fn request_files(mut self, field: &str) -> Route {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .content_media_type("application/octet-stream");
        let files = ArrayBuilder::new().items(file).min_items(Some(1));
        let form = ObjectBuilder::new().property(field, files).required(field);
        self.body = Some((RefOr::T(form.into()), "multipart/form-data"));
        self
    }

    /// A header that the call reads, if it is there.
    pub fn header(mut self, name: &str, about: &str, most: usize) -> Route {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(most));
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .description(Some(about))
            .schema(Some(text));
        self.parameters.push(header.build());
        self
    }

    pub fn response<T: ToSchema>(mut self) -> Route {
        self.answer = Some((self.reference::<T>(), "application/json"));
        self
    }

    pub fn response_list<T: ToSchema>(mut self) -> Route {
        let items = self.reference::<T>();
        let list = ArrayBuilder::new().items(items).build();
        self.answer = Some((RefOr::T(Schema::Array(list)), "application/json"));
        self
    }

    pub fn response_bytes(mut self, content_type: &'static str) -> Route {
        self.answer = Some((
            RefOr::T(Schema::Object(Object::with_type(Type::String))),
            content_type,
        ));
        self
    }

    /// What can go wrong with this call and no other.
    pub fn error(mut self, status: &'static str, why: &'static str) -> Route {
        self.own_errors.push((status, why));
        self
    }

    pub fn created(mut self) -> Route {
        self.status = 201;
        self
    }

    pub fn redirects(mut self) -> Route {
        self.status = 303;
        self
    }

    pub fn query<T: IntoParams>(mut self) -> Route {
        self.parameters
            .extend(T::into_params(|| Some(ParameterIn::Query)));
        self
    }

    pub fn body_limit(mut self, bytes: usize) -> Route {
        self.body_limit = bytes;
        self
    }

    /// Answered without the database, for anybody: nothing stands between the visitor and the handler.
    pub fn skip_guard(mut self) -> Route {
        self.skip_guard = true;
        self
    }

    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }
}

pub struct Routes<S> {
    router: Router<S>,
    paths: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
    routes: Vec<RouteInfo>,
    section: &'static str,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    pub fn new() -> Routes<S> {
        let mut schemas = vec![(
            ErrorBody::name().into_owned(),
            <ErrorBody as utoipa::PartialSchema>::schema(),
        )];
        ErrorBody::schemas(&mut schemas);
        Routes {
            router: Router::new(),
            paths: Paths::new(),
            schemas,
            routes: Vec::new(),
            section: "",
        }
    }

    /// The heading under which the next calls are described.
    pub fn section(mut self, name: &'static str) -> Routes<S> {
        self.section = name;
        self
    }

    pub fn get<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        self.add(
            MethodFilter::GET,
            HttpMethod::Get,
            "GET",
            access,
            path,
            handler,
            call,
        )
    }

    pub fn post<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        self.add(
            MethodFilter::POST,
            HttpMethod::Post,
            "POST",
            access,
            path,
            handler,
            call,
        )
    }

    pub fn put<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        self.add(
            MethodFilter::PUT,
            HttpMethod::Put,
            "PUT",
            access,
            path,
            handler,
            call,
        )
    }

    pub fn patch<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        self.add(
            MethodFilter::PATCH,
            HttpMethod::Patch,
            "PATCH",
            access,
            path,
            handler,
            call,
        )
    }

    pub fn delete<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        self.add(
            MethodFilter::DELETE,
            HttpMethod::Delete,
            "DELETE",
            access,
            path,
            handler,
            call,
        )
    }

    #[allow(clippy::too_many_arguments)] // private: the five methods above are the way in
    fn add<T: 'static>(
        mut self,
        filter: MethodFilter,
        method: HttpMethod,
        name: &'static str,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
        call: Route,
    ) -> Routes<S> {
        let handled = on(filter, handler);
        let guarded = if call.skip_guard && access == Access::Public {
            handled
        } else {
            let door = from_fn(move |request: Request, next: Next| {
                guard(access, call.body_limit, request, next)
            });
            handled.layer::<_, Infallible>(door)
        };
        self.router = self.router.route(path, guarded);
        self.routes.push(RouteInfo {
            method: name,
            path,
            access,
        });
        self.schemas.extend(call.schemas.iter().cloned());
        self.paths.add_path_operation(
            path,
            vec![method],
            operation(self.section, name, path, access, call),
        );
        self
    }

    pub fn finish(self, title: &str) -> (Router<S>, OpenApi, Vec<RouteInfo>) {
        let components = ComponentsBuilder::new()
            .schemas_from_iter(self.schemas)
            .security_scheme(SESSION, session_cookie())
            .build();
        let mut doc = OpenApi::new(Info::new(title, env!("CARGO_PKG_VERSION")), self.paths);
        doc.components = Some(components);
        (self.router, doc, self.routes)
    }
}

fn operation(section: &str, method: &str, path: &str, access: Access, call: Route) -> Operation {
    let mut operation = OperationBuilder::new()
        .tag(section)
        .operation_id(Some(operation_id(method, path)))
        .summary(Some(call.summary))
        .description(Some(format!("Access: {}.", access.as_str())));
    for name in path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next())
    {
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(Object::with_type(Type::String)))
            .build();
        operation = operation.parameter(parameter);
    }
    for parameter in call.parameters {
        operation = operation.parameter(parameter);
    }
    if access != Access::Public {
        let nothing_more: [&str; 0] = [];
        operation = operation.security(SecurityRequirement::new(SESSION, nothing_more));
    }
    let takes_body = call.body.is_some();
    if let Some((schema, content_type)) = call.body {
        let content = ContentBuilder::new().schema(Some(schema)).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new()
                .content(content_type, content)
                .required(Some(Required::True))
                .build(),
        ));
    }
    let mut answer = ResponseBuilder::new().description(call.summary);
    if let Some((schema, content_type)) = call.answer {
        answer = answer.content(
            content_type,
            ContentBuilder::new().schema(Some(schema)).build(),
        );
    }
    operation = operation.response(call.status.to_string(), answer.build());
    let failures = common_errors(access, takes_body, path);
    for (status, text) in failures.into_iter().chain(call.own_errors) {
        let body = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(ErrorBody::name())))
            .build();
        operation = operation.response(
            status,
            ResponseBuilder::new()
                .description(text)
                .content("application/json", body)
                .build(),
        );
    }
    operation.build()
}

/// The browser gets it at sign-in and sends it by itself.
fn session_cookie() -> SecurityScheme {
    let cookie = ApiKeyValue::with_description(
        "mirasa_session",
        "Set by signing in; under https its name begins with __Host-",
    );
    SecurityScheme::ApiKey(ApiKey::Cookie(cookie))
}

/// What may go wrong with such a call; the body is the same for all.
fn common_errors(
    access: Access,
    takes_body: bool,
    path: &str,
) -> Vec<(&'static str, &'static str)> {
    let mut failures = vec![("400", "Something in the request is wrong")];
    if access != Access::Public {
        failures.push(("401", "not authenticated"));
    }
    failures.push(("403", "Not allowed"));
    if path.contains('{') || takes_body {
        failures.push(("404", "There is no such thing, or it is somebody else's"));
    }
    if takes_body || access != Access::Public {
        failures.extend([
            ("409", "Stock or another person's change is in the way"),
            ("413", "Too large"),
            ("415", "Not the right kind of content"),
        ]);
    }
    failures.extend([
        ("429", "Too many calls"),
        ("500", "Something went wrong."),
        ("503", "The shop cannot do this right now"),
    ]);
    failures
}

/// `GET /api/cart/cart` becomes `get_api_cart_cart`: unique, and stable for generated clients.
fn operation_id(method: &str, path: &str) -> String {
    let path: String = path
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!("{}_{}", method.to_lowercase(), words.join("_"))
}
