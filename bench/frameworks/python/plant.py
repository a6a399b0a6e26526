"""The plant of a request, read exactly."""

import json
import os
import re
from decimal import Decimal

TOKEN = os.environ["STORE_TOKEN"]


class Rejection(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.body = {"error": code, "message": message}


def check_token(header):
    match = re.fullmatch(r"bearer +(\S+)", header or "", re.IGNORECASE)
    if match is None or match[1] != TOKEN:
        raise Rejection(1, "a valid bearer token is needed")


def check_type(header):
    if (header or "").split(";")[0].strip().lower() != "application/json":
        raise Rejection(2, "the body is not application/json")


def reject_constant(name):
    raise ValueError(name)


def integer_of(value):
    if isinstance(value, Decimal) and abs(value.adjusted()) < 30 and value == value.to_integral_value():
        return int(value)
    return value if type(value) is int else None


def read_plant(body):
    try:
        plant = json.loads(body.decode("utf-8"), parse_constant=reject_constant, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise Rejection(3, "the body is not JSON") from None
    if not isinstance(plant, dict):
        raise Rejection(4, "the body is not an object")
    number, name = integer_of(plant.get("id")), plant.get("name")
    if number is None or not -(2**63) <= number < 2**63:
        raise Rejection(5, "id is not an int64")
    if not isinstance(name, str):
        raise Rejection(6, "name is not a string")
    if "tag" not in plant:
        return {"name": name}
    if not isinstance(plant["tag"], str):
        raise Rejection(7, "tag is not a string")
    return {"name": name, "tag": plant["tag"]}
