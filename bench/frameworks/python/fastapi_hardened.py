from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from plant import Rejection, check_token, check_type, read_plant

app = FastAPI()


@app.post("/plants")
async def create_plant(request: Request):
    check_token(request.headers.get("Authorization"))
    check_type(request.headers.get("Content-Type"))
    plant = read_plant(await request.body())
    try:
        return JSONResponse(plant)
    except UnicodeEncodeError:
        raise Rejection(8, "half a surrogate pair is no text") from None


@app.exception_handler(Rejection)
async def reject(_request, rejection):
    return JSONResponse(rejection.body, 400)
