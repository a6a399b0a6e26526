"""A garden shop, as the tutorial of FastAPI writes one."""
from datetime import date, datetime, timezone
from enum import Enum
from itertools import count
from typing import Annotated, Literal, Union
from uuid import UUID, uuid4

from fastapi import Body, Cookie, Depends, FastAPI, File, Form, Header, HTTPException, Path, Query, UploadFile, status
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from pydantic import BaseModel, Field

app = FastAPI(title="Garden shop", version="1.0.0")
oauth2_scheme = OAuth2PasswordBearer(tokenUrl="login")
TOKEN = "secret-token"


class Light(str, Enum):
    sun = "sun"
    half_shade = "half-shade"
    shade = "shade"


class PlantIn(BaseModel):
    name: str = Field(min_length=1, max_length=80)
    description: str | None = Field(default=None, max_length=300)
    price: float = Field(gt=0, le=10_000)
    light: Light = Light.sun
    tags: list[str] = []
    planted_on: date | None = None


class Plant(PlantIn):
    id: int
    created_at: datetime


class PlantUpdate(BaseModel):
    name: str | None = Field(default=None, min_length=1, max_length=80)
    description: str | None = None
    price: float | None = Field(default=None, gt=0, le=10_000)


class Page(BaseModel):
    items: list[Plant]
    total: int
    limit: int
    offset: int


class Card(BaseModel):
    kind: Literal["card"]
    number: str = Field(pattern=r"^\d{12,19}$")
    holder: str | None = None


class Transfer(BaseModel):
    kind: Literal["transfer"]
    iban: str = Field(min_length=15, max_length=34)


class OrderIn(BaseModel):
    plant_ids: list[int] = Field(min_length=1, max_length=20)
    payment: Union[Card, Transfer] = Field(discriminator="kind")
    deliver_at: datetime | None = None
    gift: bool = False


class Order(OrderIn):
    id: UUID
    status: Literal["open", "sent"] = "open"


class Token(BaseModel):
    access_token: str
    token_type: str


class User(BaseModel):
    username: str
    full_name: str | None = None


class Message(BaseModel):
    detail: str


class FilterParams(BaseModel):
    model_config = {"extra": "forbid"}

    limit: int = Field(10, gt=0, le=100)
    offset: int = Field(0, ge=0)
    order_by: Literal["name", "price"] = "name"
    tags: list[str] = []


numbers = count(1)
plants: dict[int, Plant] = {}
orders: dict[UUID, Order] = {}


def current_user(token: Annotated[str, Depends(oauth2_scheme)]) -> User:
    if token != TOKEN:
        raise HTTPException(
            status_code=status.HTTP_401_UNAUTHORIZED,
            detail="Invalid authentication credentials",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return User(username="fern")


CurrentUser = Annotated[User, Depends(current_user)]
NOT_FOUND = {404: {"model": Message}}


@app.post("/login")
def login(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> Token:
    if form.password != "secret":
        raise HTTPException(status_code=400, detail="Incorrect username or password")
    return Token(access_token=TOKEN, token_type="bearer")


@app.get("/users/me")
def read_users_me(user: CurrentUser) -> User:
    return user


@app.get("/plants/")
def list_plants(
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0)] = 0,
    q: Annotated[str | None, Query(max_length=50)] = None,
    light: Annotated[list[Light] | None, Query()] = None,
    planted_after: date | None = None,
    max_price: float | None = None,
) -> Page:
    found = [
        plant
        for plant in plants.values()
        if (q is None or q in plant.name)
        and (not light or plant.light in light)
        and (planted_after is None or (plant.planted_on is not None and plant.planted_on > planted_after))
        and (max_price is None or plant.price <= max_price)
    ]
    return Page(items=found[offset : offset + limit], total=len(found), limit=limit, offset=offset)


@app.post("/plants/", status_code=201)
def create_plant(plant: PlantIn, user: CurrentUser) -> Plant:
    made = Plant(id=next(numbers), created_at=datetime.now(timezone.utc), **plant.model_dump())
    plants[made.id] = made
    return made


def plant_or_404(plant_id: Annotated[int, Path(ge=1)]) -> Plant:
    if plant_id not in plants:
        raise HTTPException(status_code=404, detail="Plant not found")
    return plants[plant_id]


FoundPlant = Annotated[Plant, Depends(plant_or_404)]


@app.get("/plants/{plant_id}", responses=NOT_FOUND)
def read_plant(plant: FoundPlant) -> Plant:
    return plant


@app.put("/plants/{plant_id}", responses=NOT_FOUND)
def replace_plant(plant: FoundPlant, new: PlantIn, user: CurrentUser) -> Plant:
    made = Plant(id=plant.id, created_at=plant.created_at, **new.model_dump())
    plants[plant.id] = made
    return made


@app.patch("/plants/{plant_id}", responses=NOT_FOUND)
def update_plant(plant: FoundPlant, change: PlantUpdate, user: CurrentUser) -> Plant:
    made = plant.model_copy(update={k: v for k, v in change.model_dump(exclude_unset=True).items() if v is not None or k == "description"})
    plants[plant.id] = made
    return made


@app.delete("/plants/{plant_id}", status_code=204, responses=NOT_FOUND)
def delete_plant(plant: FoundPlant, user: CurrentUser) -> None:
    del plants[plant.id]


@app.post("/plants/{plant_id}/photo", responses=NOT_FOUND)
async def upload_photo(
    plant: FoundPlant,
    file: UploadFile,
    caption: Annotated[str | None, Form(max_length=100)] = None,
) -> dict[str, int | str | None]:
    return {"size": len(await file.read()), "caption": caption}


@app.post("/files/")
async def create_files(files: Annotated[list[bytes], File(description="Several files as bytes")]) -> dict[str, list[int]]:
    return {"file_sizes": [len(file) for file in files]}


@app.get("/search")
def search(filter_query: Annotated[FilterParams, Query()]) -> FilterParams:
    return filter_query


@app.get("/headers")
def read_headers(
    user_agent: Annotated[str | None, Header()] = None,
    x_size: Annotated[int | None, Header(ge=0)] = None,
    x_token: Annotated[list[str] | None, Header()] = None,
    ads_id: Annotated[str | None, Cookie()] = None,
) -> dict[str, str | int | list[str] | None]:
    return {"x_size": x_size, "x_token": x_token, "ads_id": ads_id}


@app.post("/orders", status_code=201)
def create_order(order: OrderIn, user: CurrentUser) -> Order:
    made = Order(id=uuid4(), **order.model_dump())
    orders[made.id] = made
    return made


@app.get("/orders")
def list_orders(ids: Annotated[list[UUID] | None, Query()] = None, sent: bool | None = None) -> list[Order]:
    return [
        order
        for order in orders.values()
        if (not ids or order.id in ids) and (sent is None or (order.status == "sent") == sent)
    ]


@app.get("/orders/{order_id}", responses=NOT_FOUND)
def read_order(order_id: UUID) -> Order:
    if order_id not in orders:
        raise HTTPException(status_code=404, detail="Order not found")
    return orders[order_id]


@app.post("/newsletter", status_code=202)
def subscribe(
    email: Annotated[str, Form(min_length=3)],
    topics: Annotated[list[Light], Form()] = [],
    age: Annotated[int | None, Form(ge=0, le=150)] = None,
) -> dict[str, str]:
    return {"email": email}


@app.post("/offers")
def make_offer(
    plant_id: Annotated[int, Body(ge=1)],
    price: Annotated[float, Body(gt=0)],
    importance: Annotated[int | None, Body()] = None,
) -> dict[str, float]:
    return {"price": price}
