//! A garage, as the documentation of axum and utoipa writes one: typed extractors, an OpenApiRouter, the document from the macros.
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, Multipart, Path, State};
use axum::http::{header, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::Json;
use axum_extra::extract::Query;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Fuel {
    Petrol,
    Diesel,
    Electric,
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
struct NewCar {
    #[schema(min_length = 1, max_length = 40)]
    name: String,
    fuel: Fuel,
    doors: u8,
    mileage: Option<f64>,
    first_registered: Option<NaiveDate>,
    #[serde(default)]
    tags: Vec<String>,
    extras: Option<BTreeMap<String, i32>>,
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
struct Car {
    id: i64,
    created_at: DateTime<Utc>,
    #[serde(flatten)]
    car: NewCar,
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Job {
    Wash { hot: bool },
    Paint { color: String, coats: Option<u8> },
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
struct NewOrder {
    car_id: i64,
    job: Job,
    due: DateTime<Utc>,
    note: Option<String>,
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
struct Order {
    id: Uuid,
    #[serde(flatten)]
    order: NewOrder,
}

#[derive(Serialize, ToSchema)]
struct Problem {
    message: String,
}

#[derive(Serialize, ToSchema)]
struct Size {
    size: usize,
}

#[derive(Serialize, ToSchema)]
struct CarPage {
    items: Vec<Car>,
    total: usize,
}

#[derive(Deserialize, IntoParams)]
struct CarQuery {
    #[param(minimum = 0)]
    offset: Option<u32>,
    #[param(minimum = 0, maximum = 100)]
    limit: Option<u32>,
    q: Option<String>,
    #[serde(default)]
    fuel: Vec<Fuel>,
    electric: Option<bool>,
    registered_after: Option<NaiveDate>,
}

#[derive(Deserialize, ToSchema)]
#[allow(dead_code)]
struct Feedback {
    text: String,
    stars: u8,
    email: Option<String>,
}

#[derive(ToSchema)]
#[allow(dead_code)]
struct Photo {
    #[schema(value_type = String, format = Binary)]
    photo: Vec<u8>,
    caption: Option<String>,
}

#[derive(Default)]
struct Garage {
    last: i64,
    cars: BTreeMap<i64, Car>,
    orders: BTreeMap<Uuid, Order>,
}

type Shared = Arc<Mutex<Garage>>;

fn problem(status: StatusCode, message: &str) -> Response {
    (status, Json(Problem { message: message.into() })).into_response()
}

fn may(headers: &HeaderMap) -> Option<Response> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given == Some("Bearer secret-token") {
        return None;
    }
    let mut response = problem(StatusCode::UNAUTHORIZED, "log in first");
    response.headers_mut().insert(header::WWW_AUTHENTICATE, "Bearer".parse().unwrap());
    Some(response)
}

#[utoipa::path(get, path = "/cars", params(CarQuery), responses((status = OK, body = CarPage), (status = BAD_REQUEST, description = "Invalid query", content_type = "text/plain", body = String)))]
async fn list_cars(State(garage): State<Shared>, Query(query): Query<CarQuery>) -> Json<CarPage> {
    let garage = garage.lock().unwrap();
    let found: Vec<Car> = garage
        .cars
        .values()
        .filter(|car| query.q.as_ref().is_none_or(|q| car.car.name.contains(q)))
        .filter(|car| query.fuel.is_empty() || query.fuel.contains(&car.car.fuel))
        .filter(|car| query.electric.is_none_or(|electric| electric == (car.car.fuel == Fuel::Electric)))
        .filter(|car| query.registered_after.is_none_or(|day| car.car.first_registered.is_some_and(|each| each > day)))
        .cloned()
        .collect();
    let total = found.len();
    let items = found.into_iter().skip(query.offset.unwrap_or(0) as usize).take(query.limit.unwrap_or(20) as usize).collect();
    Json(CarPage { items, total })
}

#[utoipa::path(post, path = "/cars", request_body = NewCar, security(("bearer" = [])), responses((status = CREATED, body = Car), (status = UNAUTHORIZED, body = Problem)))]
async fn create_car(State(garage): State<Shared>, headers: HeaderMap, Json(car): Json<NewCar>) -> Response {
    if let Some(response) = may(&headers) {
        return response;
    }
    let mut garage = garage.lock().unwrap();
    garage.last += 1;
    let car = Car { id: garage.last, created_at: Utc::now(), car };
    garage.cars.insert(car.id, car.clone());
    (StatusCode::CREATED, Json(car)).into_response()
}

#[utoipa::path(get, path = "/cars/{id}", params(("id" = i64, Path)), responses((status = OK, body = Car), (status = NOT_FOUND, body = Problem)))]
async fn get_car(State(garage): State<Shared>, Path(id): Path<i64>) -> Response {
    match garage.lock().unwrap().cars.get(&id) {
        Some(car) => Json(car.clone()).into_response(),
        None => problem(StatusCode::NOT_FOUND, "no such car"),
    }
}

#[utoipa::path(put, path = "/cars/{id}", params(("id" = i64, Path)), request_body = NewCar, responses((status = OK, body = Car), (status = NOT_FOUND, body = Problem)))]
async fn replace_car(State(garage): State<Shared>, Path(id): Path<i64>, Json(new): Json<NewCar>) -> Response {
    match garage.lock().unwrap().cars.get_mut(&id) {
        Some(car) => {
            car.car = new;
            Json(car.clone()).into_response()
        }
        None => problem(StatusCode::NOT_FOUND, "no such car"),
    }
}

#[utoipa::path(delete, path = "/cars/{id}", params(("id" = i64, Path)), responses((status = NO_CONTENT), (status = NOT_FOUND, body = Problem)))]
async fn delete_car(State(garage): State<Shared>, Path(id): Path<i64>) -> Response {
    match garage.lock().unwrap().cars.remove(&id) {
        Some(_) => StatusCode::NO_CONTENT.into_response(),
        None => problem(StatusCode::NOT_FOUND, "no such car"),
    }
}

#[utoipa::path(post, path = "/photos", request_body(content = Photo, content_type = "multipart/form-data"), responses((status = OK, body = Size)))]
async fn upload_photo(mut parts: Multipart) -> Response {
    let mut size = None;
    while let Ok(Some(part)) = parts.next_field().await {
        let name = part.name().map(str::to_owned);
        let Ok(bytes) = part.bytes().await else { return problem(StatusCode::BAD_REQUEST, "broken part") };
        if name.as_deref() == Some("photo") {
            size = Some(bytes.len());
        }
    }
    match size {
        Some(size) => Json(Size { size }).into_response(),
        None => problem(StatusCode::BAD_REQUEST, "photo is missing"),
    }
}

#[utoipa::path(post, path = "/feedback", request_body(content = Feedback, content_type = "application/x-www-form-urlencoded"), responses((status = OK, body = Size), (status = UNPROCESSABLE_ENTITY, body = String, content_type = "text/plain")))]
async fn send_feedback(Form(feedback): Form<Feedback>) -> Json<Size> {
    Json(Size { size: feedback.text.len() })
}

#[utoipa::path(get, path = "/orders", params(("car_id" = Option<i64>, Query)), responses((status = OK, body = Vec<Order>)))]
async fn list_orders(State(garage): State<Shared>, Query(query): Query<BTreeMap<String, String>>) -> Json<Vec<Order>> {
    let car: Option<i64> = query.get("car_id").and_then(|id| id.parse().ok());
    let garage = garage.lock().unwrap();
    Json(garage.orders.values().filter(|order| car.is_none_or(|id| order.order.car_id == id)).cloned().collect())
}

#[utoipa::path(post, path = "/orders", request_body = NewOrder, responses((status = CREATED, body = Order), (status = UNPROCESSABLE_ENTITY, body = String, content_type = "text/plain")))]
async fn create_order(State(garage): State<Shared>, Json(order): Json<NewOrder>) -> (StatusCode, Json<Order>) {
    let order = Order { id: Uuid::new_v4(), order };
    garage.lock().unwrap().orders.insert(order.id, order.clone());
    (StatusCode::CREATED, Json(order))
}

#[utoipa::path(get, path = "/orders/{id}", params(("id" = Uuid, Path)), responses((status = OK, body = Order), (status = NOT_FOUND, body = Problem)))]
async fn get_order(State(garage): State<Shared>, Path(id): Path<Uuid>) -> Response {
    match garage.lock().unwrap().orders.get(&id) {
        Some(order) => Json(order.clone()).into_response(),
        None => problem(StatusCode::NOT_FOUND, "no such order"),
    }
}

#[utoipa::path(get, path = "/status", params(("x-trace" = Option<Uuid>, Header)), security(("bearer" = [])), responses((status = OK, body = Size), (status = UNAUTHORIZED, body = Problem)))]
async fn status(State(garage): State<Shared>, headers: HeaderMap) -> Response {
    if let Some(response) = may(&headers) {
        return response;
    }
    Json(Size { size: garage.lock().unwrap().cars.len() }).into_response()
}

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

#[derive(OpenApi)]
#[openapi(info(title = "Garage", version = "1.0.0"), modifiers(&Security))]
struct Document;

#[tokio::main]
async fn main() {
    let (router, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(list_cars, create_car))
        .routes(routes!(get_car, replace_car, delete_car))
        .routes(routes!(upload_photo))
        .routes(routes!(send_feedback))
        .routes(routes!(list_orders, create_order))
        .routes(routes!(get_order))
        .routes(routes!(status))
        .with_state(Shared::default())
        .split_for_parts();
    let router = router.route("/openapi.json", axum::routing::get(move || async move { Json(document) }));
    let port: u16 = std::env::var("PORT").unwrap().parse().unwrap();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    axum::serve(listener, router).await.unwrap();
}
