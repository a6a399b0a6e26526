import os

from flask import Flask, jsonify, request

app = Flask(__name__)


@app.post("/plants")
def create_plant():
    if request.headers.get("Authorization") != f"Bearer {os.environ['STORE_TOKEN']}":
        return jsonify(error=1, message="unauthorized"), 400
    body = request.get_json()
    if not isinstance(body.get("id"), int):
        return jsonify(error=2, message="id"), 400
    if not isinstance(body.get("name"), str):
        return jsonify(error=3, message="name"), 400
    return jsonify(name=body["name"], tag=body.get("tag"))
