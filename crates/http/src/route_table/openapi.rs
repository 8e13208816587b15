//! The OpenAPI description of the route table.

use std::collections::BTreeMap;

use mirasa_app::ErrorKind;
use utoipa::ToSchema;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, Info, OpenApi, RefOr, Required, Response, Schema,
};

use crate::error::types::ErrorBody;
use crate::guard::access::Access;
use crate::route_table::errors;
use crate::route_table::operation_doc::OperationDoc;
use crate::route_table::route_info::RouteInfo;

/// The name of the session's cookie in the description.
const SESSION: &str = "session";

pub(super) struct OpenApiBuilder {
    paths: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
    errors: BTreeMap<String, RefOr<Response>>,
}

impl OpenApiBuilder {
    pub(super) fn new() -> OpenApiBuilder {
        let error = <ErrorBody as utoipa::PartialSchema>::schema();
        let mut schemas = vec![(ErrorBody::name().into_owned(), error)];
        ErrorBody::schemas(&mut schemas);
        OpenApiBuilder {
            paths: Paths::new(),
            schemas,
            errors: BTreeMap::new(),
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
        let errors = errors::errors_of(route, &doc);
        self.errors
            .extend(errors.iter().copied().map(errors::shared));
        let operation = operation(section, route, doc, &errors);
        self.paths
            .add_path_operation(route.path, vec![method], operation);
    }

    pub(super) fn finish(self, title: &str) -> OpenApi {
        let components = ComponentsBuilder::new()
            .schemas_from_iter(self.schemas)
            .responses_from_iter(self.errors)
            .security_scheme(SESSION, session_cookie())
            .build();
        let mut doc = OpenApi::new(Info::new(title, env!("CARGO_PKG_VERSION")), self.paths);
        doc.components = Some(components);
        let no_scopes: [&str; 0] = [];
        // For all operations but the public ones.
        doc.security = Some(vec![SecurityRequirement::new(SESSION, no_scopes)]);
        doc
    }
}

fn operation(
    section: &str,
    route: &RouteInfo,
    doc: OperationDoc,
    errors: &[ErrorKind],
) -> Operation {
    let mut operation = OperationBuilder::new()
        .tag(section)
        .operation_id(Some(operation_id(route.method, route.path)))
        .summary(Some(doc.summary))
        .description(Some(format!("Access: {}.", route.access.as_str())));
    for parameter in path_parameters(route.path).chain(doc.parameters) {
        operation = operation.parameter(parameter);
    }
    if route.access == Access::Public {
        operation = operation.securities(Some([]));
    }
    if let Some(body) = doc.request {
        let required = if body.is_required {
            Required::True
        } else {
            Required::False
        };
        let content = ContentBuilder::new().schema(Some(body.schema)).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new()
                .content(body.content_type, content)
                .required(Some(required))
                .build(),
        ));
    }
    let mut response = ResponseBuilder::new().description(doc.summary);
    if let Some((schema, content_type)) = doc.response {
        let content = ContentBuilder::new().schema(Some(schema)).build();
        response = response.content(content_type, content);
    }
    operation = operation.response(doc.status.to_string(), response.build());
    for kind in errors {
        let (status, reference) = errors::reference(*kind);
        operation = operation.response(status, reference);
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

/// `get_api_cart_cart` for GET and the cart's path: unique, and stable for generated clients.
fn operation_id(method: &str, path: &str) -> String {
    let path: String = path
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!("{}_{}", method.to_lowercase(), words.join("_"))
}
