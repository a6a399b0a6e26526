import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel


class NewPlant(BaseModel):
    id: int
    name: str
    tag: str | None = None


class Plant(BaseModel):
    name: str
    tag: str | None = None


app = FastAPI()
Credentials = Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]


@app.post("/plants")
def create_plant(plant: NewPlant, credentials: Credentials) -> Plant:
    if credentials.credentials != os.environ["STORE_TOKEN"]:
        raise HTTPException(401)
    return Plant(name=plant.name, tag=plant.tag)
