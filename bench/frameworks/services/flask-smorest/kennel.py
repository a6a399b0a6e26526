"""A kennel, as the documentation of flask-smorest writes one: marshmallow schemas, blueprints, paging and ETags left at their defaults."""
import uuid
from itertools import count

import marshmallow as ma
from flask import Flask, request
from flask.views import MethodView
from flask_smorest import Api, Blueprint, abort
from flask_smorest.fields import Upload
from marshmallow import validate

app = Flask(__name__)
app.config.update(
    API_TITLE="Kennel",
    API_VERSION="v1",
    OPENAPI_VERSION="3.0.3",
    OPENAPI_URL_PREFIX="/",
    API_SPEC_OPTIONS={"components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}}},
)
api = Api(app)
KEY = "secret-token"


class DogSchema(ma.Schema):
    id = ma.fields.Int(dump_only=True)
    name = ma.fields.String(required=True, validate=validate.Length(min=1, max=60))
    size = ma.fields.String(validate=validate.OneOf(["small", "medium", "large"]), load_default="medium")
    weight = ma.fields.Float(allow_none=True, validate=validate.Range(min=0, max=200))
    born_on = ma.fields.Date()
    chipped = ma.fields.Boolean(load_default=False)
    nicknames = ma.fields.List(ma.fields.String(validate=validate.Length(min=1)), validate=validate.Length(max=5))
    created_at = ma.fields.DateTime(dump_only=True)


class DogQuerySchema(ma.Schema):
    class Meta:
        unknown = ma.EXCLUDE

    name = ma.fields.String()
    size = ma.fields.List(ma.fields.String(validate=validate.OneOf(["small", "medium", "large"])))
    born_after = ma.fields.Date()
    max_weight = ma.fields.Float()
    chipped = ma.fields.Boolean()


class StaySchema(ma.Schema):
    id = ma.fields.UUID(dump_only=True)
    dog_id = ma.fields.Int(required=True, strict=True, validate=validate.Range(min=1))
    since = ma.fields.DateTime(required=True)
    until = ma.fields.DateTime(allow_none=True)
    extras = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Int())
    owner = ma.fields.Nested(lambda: OwnerSchema(), required=True)


class OwnerSchema(ma.Schema):
    email = ma.fields.Email(required=True)
    phone = ma.fields.String(validate=validate.Regexp(r"^\+[0-9]{6,15}$"))
    homepage = ma.fields.Url()


class PictureSchema(ma.Schema):
    picture = Upload(required=True)


class NoteSchema(ma.Schema):
    text = ma.fields.String(required=True, validate=validate.Length(min=1, max=200))
    stars = ma.fields.Int(validate=validate.Range(min=1, max=5))
    tags = ma.fields.List(ma.fields.String())


class SizeSchema(ma.Schema):
    size = ma.fields.Int(required=True)


class HeaderSchema(ma.Schema):
    class Meta:
        unknown = ma.EXCLUDE

    x_unit = ma.fields.String(data_key="X-Unit", validate=validate.OneOf(["kg", "lb"]))
    x_digits = ma.fields.Int(data_key="X-Digits", validate=validate.Range(min=0, max=6))


dogs = {}
stays = {}
numbers = count(1)


def check_key():
    if request.headers.get("X-Api-Key") != KEY:
        abort(401, message="A key is needed.")


def dog_or_404(dog_id):
    if dog_id not in dogs:
        abort(404, message="Dog not found.")
    return dogs[dog_id]


secured = {"security": [{"key": []}]}
blp = Blueprint("dogs", "dogs", url_prefix="/dogs", description="Dogs that stay here")


@blp.route("/")
class Dogs(MethodView):
    @blp.arguments(DogQuerySchema, location="query")
    @blp.response(200, DogSchema(many=True))
    @blp.paginate()
    def get(self, args, pagination_parameters):
        found = [
            dog
            for dog in dogs.values()
            if args.get("name", "") in dog["name"] and (not args.get("size") or dog["size"] in args["size"])
        ]
        pagination_parameters.item_count = len(found)
        return found[pagination_parameters.first_item : pagination_parameters.last_item + 1]

    @blp.arguments(DogSchema)
    @blp.response(201, DogSchema)
    @blp.alt_response(401, description="No key")
    @blp.doc(**secured)
    def post(self, new):
        check_key()
        dog = {"id": next(numbers), **new}
        dogs[dog["id"]] = dog
        return dog


@blp.route("/<int:dog_id>")
class DogById(MethodView):
    @blp.response(200, DogSchema)
    @blp.alt_response(404, description="Dog not found")
    def get(self, dog_id):
        return dog_or_404(dog_id)

    @blp.arguments(DogSchema)
    @blp.response(200, DogSchema)
    @blp.alt_response(404, description="Dog not found")
    def put(self, new, dog_id):
        dog_or_404(dog_id)
        dogs[dog_id] = {"id": dog_id, **new}
        return dogs[dog_id]

    @blp.response(204)
    @blp.alt_response(404, description="Dog not found")
    def delete(self, dog_id):
        dog_or_404(dog_id)
        del dogs[dog_id]


@blp.route("/<int:dog_id>/picture", methods=["POST"])
@blp.arguments(PictureSchema, location="files")
@blp.response(201, SizeSchema)
@blp.alt_response(404, description="Dog not found")
def upload_picture(files, dog_id):
    dog_or_404(dog_id)
    return {"size": len(files["picture"].read())}


stays_blp = Blueprint("stays", "stays", url_prefix="/stays")


@stays_blp.route("")
class Stays(MethodView):
    @stays_blp.response(200, StaySchema(many=True))
    def get(self):
        return list(stays.values())

    @stays_blp.arguments(StaySchema)
    @stays_blp.response(201, StaySchema)
    def post(self, new):
        stay = {"id": uuid.uuid4(), **new}
        stays[stay["id"]] = stay
        return stay


@stays_blp.route("/<uuid:stay_id>")
class StayById(MethodView):
    @stays_blp.response(200, StaySchema)
    @stays_blp.alt_response(404, description="Stay not found")
    def get(self, stay_id):
        if stay_id not in stays:
            abort(404, message="Stay not found.")
        return stays[stay_id]


other = Blueprint("other", "other")


@other.route("/notes", methods=["POST"])
@other.arguments(NoteSchema, location="form")
@other.response(200, SizeSchema)
def add_note(note):
    return {"size": len(note["text"])}


@other.route("/weights", methods=["GET"])
@other.arguments(HeaderSchema, location="headers")
@other.response(200, SizeSchema)
def weights(headers):
    return {"size": len(dogs)}


api.register_blueprint(blp)
api.register_blueprint(stays_blp)
api.register_blueprint(other)
