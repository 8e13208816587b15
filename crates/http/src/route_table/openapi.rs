//! The OpenAPI description of the route table.

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

use crate::access::Access;
use crate::dto::ErrorBody;
use crate::route_table::{Route, RouteInfo};

/// The name of the session's cookie in the description.
const SESSION: &str = "session";

/// What a route takes and returns.
pub(super) struct OperationDoc {
    summary: &'static str,
    status: u16,
    request: Option<(RefOr<Schema>, &'static str)>,
    response: Option<(RefOr<Schema>, &'static str)>,
    parameters: Vec<Parameter>,
    schemas: Vec<(String, RefOr<Schema>)>,
    errors: Vec<(&'static str, &'static str)>,
}

impl Default for OperationDoc {
    fn default() -> OperationDoc {
        OperationDoc {
            summary: "",
            status: 200,
            request: None,
            response: None,
            parameters: Vec::new(),
            schemas: Vec::new(),
            errors: Vec::new(),
        }
    }
}

impl OperationDoc {
    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }
}

impl Route {
    pub fn summary(self, summary: &'static str) -> Route {
        self.map_doc(|doc| OperationDoc { summary, ..doc })
    }

    pub fn request<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.request = Some((doc.reference::<T>(), "application/json"));
            doc
        })
    }

    /// A form with any number of files in this field.
    pub fn request_files(self, field: &str) -> Route {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .content_media_type("application/octet-stream");
        let files = ArrayBuilder::new().items(file).min_items(Some(1));
        let form = ObjectBuilder::new().property(field, files).required(field);
        self.map_doc(|mut doc| {
            doc.request = Some((RefOr::T(form.into()), "multipart/form-data"));
            doc
        })
    }

    /// A form with text fields, all required, and up to five files.
    pub fn request_form(self, texts: &[&str], files: &str) -> Route {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let file = text().content_media_type("application/octet-stream");
        let all = ArrayBuilder::new().items(file).max_items(Some(5));
        let form = texts.iter().fold(ObjectBuilder::new(), |form, name| {
            form.property(*name, text()).required(*name)
        });
        let form = form.property(files, all);
        self.map_doc(|mut doc| {
            doc.request = Some((RefOr::T(form.into()), "multipart/form-data"));
            doc
        })
    }

    /// An optional header.
    pub fn header(self, name: &str, description: &str, max_length: usize) -> Route {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(max_length));
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .description(Some(description))
            .schema(Some(text));
        self.map_doc(|mut doc| {
            doc.parameters.push(header.build());
            doc
        })
    }

    pub fn query<T: IntoParams>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.parameters
                .extend(T::into_params(|| Some(ParameterIn::Query)));
            doc
        })
    }

    pub fn response<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.response = Some((doc.reference::<T>(), "application/json"));
            doc
        })
    }

    pub fn response_list<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            let list = ArrayBuilder::new().items(doc.reference::<T>()).build();
            doc.response = Some((RefOr::T(Schema::Array(list)), "application/json"));
            doc
        })
    }

    pub fn response_bytes(self, content_type: &'static str) -> Route {
        self.map_doc(|mut doc| {
            let text = Schema::Object(Object::with_type(Type::String));
            doc.response = Some((RefOr::T(text), content_type));
            doc
        })
    }

    pub fn created(self) -> Route {
        self.map_doc(|doc| OperationDoc { status: 201, ..doc })
    }

    pub fn redirects(self) -> Route {
        self.map_doc(|doc| OperationDoc { status: 303, ..doc })
    }

    /// An error that other routes do not have.
    pub fn error(self, status: &'static str, description: &'static str) -> Route {
        self.map_doc(|mut doc| {
            doc.errors.push((status, description));
            doc
        })
    }
}

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
