//! The OpenAPI description of the route table.

use utoipa::ToSchema;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, Info, OpenApi, Ref, RefOr, Required, Schema,
};

use crate::error::types::ErrorBody;
use crate::guard::access::Access;
use crate::route_table::operation_doc::OperationDoc;
use crate::route_table::route_info::RouteInfo;

/// The name of the session's cookie in the description.
const SESSION: &str = "session";

pub(super) struct OpenApiBuilder {
    paths: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl OpenApiBuilder {
    pub(super) fn new() -> OpenApiBuilder {
        let error = <ErrorBody as utoipa::PartialSchema>::schema();
        let mut schemas = vec![(ErrorBody::name().into_owned(), error)];
        ErrorBody::schemas(&mut schemas);
        OpenApiBuilder {
            paths: Paths::new(),
            schemas,
        }
    }

    pub(super) fn add(
        &mut self,
        section: &str,
        method: HttpMethod,
        route: &RouteInfo,
        mut doc: OperationDoc,
    ) {
        self.schemas.append(&mut doc.schemas);
        let operation = operation(section, route, doc);
        self.paths
            .add_path_operation(route.path, vec![method], operation);
    }

    pub(super) fn finish(self, title: &str) -> OpenApi {
        let components = ComponentsBuilder::new()
            .schemas_from_iter(self.schemas)
            .security_scheme(SESSION, session_cookie())
            .build();
        let mut doc = OpenApi::new(Info::new(title, env!("CARGO_PKG_VERSION")), self.paths);
        doc.components = Some(components);
        doc
    }
}

fn operation(section: &str, route: &RouteInfo, doc: OperationDoc) -> Operation {
    let mut operation = OperationBuilder::new()
        .tag(section)
        .operation_id(Some(operation_id(route.method, route.path)))
        .summary(Some(doc.summary))
        .description(Some(format!("Access: {}.", route.access.as_str())));
    for parameter in path_parameters(route.path).chain(doc.parameters) {
        operation = operation.parameter(parameter);
    }
    if route.access != Access::Public {
        let no_scopes: [&str; 0] = [];
        operation = operation.security(SecurityRequirement::new(SESSION, no_scopes));
    }
    let errors = common_errors(route, doc.request.is_some());
    if let Some((schema, content_type)) = doc.request {
        let content = ContentBuilder::new().schema(Some(schema)).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new()
                .content(content_type, content)
                .required(Some(Required::True))
                .build(),
        ));
    }
    let mut response = ResponseBuilder::new().description(doc.summary);
    if let Some((schema, content_type)) = doc.response {
        let content = ContentBuilder::new().schema(Some(schema)).build();
        response = response.content(content_type, content);
    }
    operation = operation.response(doc.status.to_string(), response.build());
    for (status, description) in errors.into_iter().chain(doc.errors) {
        let body = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(ErrorBody::name())))
            .build();
        operation = operation.response(
            status,
            ResponseBuilder::new()
                .description(description)
                .content("application/json", body)
                .build(),
        );
    }
    operation.build()
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    let names = path.split('{').skip(1);
    let names = names.filter_map(|rest| rest.split('}').next());
    names.map(|name| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(Object::with_type(Type::String)))
            .build()
    })
}

/// The browser gets the cookie at sign-in and sends it by itself.
fn session_cookie() -> SecurityScheme {
    let cookie = ApiKeyValue::with_description(
        "mirasa_session",
        "Set by signing in; under https its name begins with __Host-",
    );
    SecurityScheme::ApiKey(ApiKey::Cookie(cookie))
}

/// The errors that a route of this kind can return. They all have the same body.
fn common_errors(route: &RouteInfo, takes_body: bool) -> Vec<(&'static str, &'static str)> {
    let mut errors = vec![("400", "Something in the request is wrong")];
    if route.access != Access::Public {
        errors.push(("401", "not authenticated"));
    }
    errors.push(("403", "Not allowed"));
    if route.path.contains('{') || takes_body {
        errors.push(("404", "Not found, or it belongs to another user"));
    }
    if takes_body || route.access != Access::Public {
        errors.extend([
            ("409", "Conflict with the stock or with another change"),
            ("413", "Too large"),
            ("415", "Unsupported content type"),
        ]);
    }
    errors.extend([
        ("429", "Too many requests"),
        ("500", "Something went wrong."),
        ("503", "The shop cannot do this right now"),
    ]);
    errors
}

/// `get_api_cart_cart` for GET and the cart's path: unique, and stable for generated clients.
fn operation_id(method: &str, path: &str) -> String {
    let path: String = path
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!("{}_{}", method.to_lowercase(), words.join("_"))
}
