from flask import Flask, jsonify, request
from plant import Rejection, check_token, check_type, read_plant

app = Flask(__name__)


@app.post("/plants")
def create_plant():
    check_token(request.headers.get("Authorization"))
    check_type(request.headers.get("Content-Type"))
    return jsonify(read_plant(request.get_data()))


@app.errorhandler(Rejection)
def reject(rejection):
    return jsonify(rejection.body), 400
