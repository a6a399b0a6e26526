"""The shop of shop.openapi.yaml in Python: its standard library, one file, all in memory."""
import email.parser
import email.policy
import json
import os
import queue
import re
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

LARGEST_BODY = 16 * 1024 * 1024
CATEGORIES = ["tea", "coffee", "spice"]
SORTS = ["name", "-name", "price", "-price"]

lock = threading.Lock()
products = {each["id"]: each for each in json.loads(Path(__file__).parents[1].joinpath("seeds.json").read_text())["/products"]}
next_id = len(products) + 1
watchers = set()


class Failed(Exception):
    """A failure that the document declares, with the reason."""

    def __init__(self, status, detail):
        super().__init__(detail)
        self.status = status


def no_number(text):
    """Python reads NaN and Infinity, which are no JSON."""
    raise ValueError(f"{text} is no number")


def is_integer(value, least, most):
    is_whole = isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
    return is_whole and least <= value <= most


def check_discount(value):
    kinds = {"percent": 99, "amount": 1_000_000}
    if not isinstance(value, dict) or value.get("kind") not in list(kinds):
        raise Failed(400, "discount has no known kind")
    kind = value["kind"]
    if not is_integer(value.get(kind), 1, kinds[kind]):
        raise Failed(400, f"discount/{kind} must be an integer from 1 to {kinds[kind]}")


def check_product(value, required):
    if not isinstance(value, dict):
        raise Failed(400, "the body must be an object")
    for name in required:
        if name not in value:
            raise Failed(400, f"{name} is missing")
    if "name" in value and not (isinstance(value["name"], str) and 1 <= len(value["name"]) <= 80):
        raise Failed(400, "name must be a text of 1 to 80 characters")
    if "category" in value and value["category"] not in CATEGORIES:
        raise Failed(400, f"category must be one of {', '.join(CATEGORIES)}")
    for name, most in (("price", 1_000_000), ("stock", 100_000)):
        if name in value and not is_integer(value[name], 0, most):
            raise Failed(400, f"{name} must be an integer from 0 to {most}")
    if "discount" in value:
        check_discount(value["discount"])
    return {name: value[name] for name in ("name", "category", "price", "stock", "discount") if name in value}


def number_in(query, name, default, most):
    text = query.get(name, str(default))
    if not re.fullmatch("[0-9]{1,19}", text) or not 1 <= int(text) <= most:
        raise Failed(400, f"{name} must be an integer from 1 to {most}")
    return int(text)


def list_products(query):
    page, size = number_in(query, "page", 1, 2**63 - 1), number_in(query, "per_page", 10, 50)
    category, sort, in_stock = query.get("category"), query.get("sort"), query.get("in_stock")
    if category is not None and category not in CATEGORIES:
        raise Failed(400, f"category must be one of {', '.join(CATEGORIES)}")
    if sort is not None and sort not in SORTS:
        raise Failed(400, f"sort must be one of {', '.join(SORTS)}")
    if in_stock not in (None, "true", "false"):
        raise Failed(400, "in_stock must be true or false")
    found = [
        each for each in products.values()
        if category in (None, each["category"]) and in_stock in (None, "true" if each["stock"] else "false")
    ]
    if sort is not None:
        found.sort(key=lambda each: each[sort.lstrip("-")], reverse=sort.startswith("-"))
    return {"items": found[(page - 1) * size:page * size], "page": page, "per_page": size, "total": len(found)}


def tell(product):
    for watcher in list(watchers):
        watcher.put({"product_id": product["id"], "name": product["name"], "stock": product["stock"]})


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self):
        self.serve()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def serve(self):
        try:
            body = self.body()
            url = urlsplit(self.path)
            if (self.command, url.path) == ("GET", "/stock-changes"):
                self.stream()
                return
            with lock:
                self.answer(url.path, dict(parse_qsl(url.query, keep_blank_values=True)), body)
        except Failed as failed:
            problem = {"title": "The request failed", "status": failed.status, "detail": str(failed)}
            self.respond(failed.status, problem, "application/problem+json")

    def body(self):
        try:
            if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                return b"".join(self.chunks())
            return self.read(int(self.headers.get("Content-Length", "0")))
        except ValueError:
            self.close_connection = True
            raise Failed(400, "the length of the body cannot be read") from None

    def chunks(self):
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():  # trailers
            pass

    def read(self, size):
        if not 0 <= size <= LARGEST_BODY:
            raise ValueError(size)
        return self.rfile.read(size)

    def answer(self, path, query, body):
        global next_id
        match (self.command, path.split("/")[1:]):
            case ("GET", ["products"]):
                self.respond(200, list_products(query))
            case ("POST", ["products"]):
                fields = check_product(self.json(body), ["name", "category", "price", "stock"])
                product = {"id": f"p{next_id}", **fields}
                next_id += 1
                products[product["id"]] = product
                tell(product)
                self.respond(201, product, Location=f"/products/{quote(product['id'])}")
            case ("GET", ["products", name]):
                self.respond(200, self.product(name))
            case ("PATCH", ["products", name]):
                product = self.product(name)
                stock = product["stock"]
                product.update(check_product(self.json(body), []))
                if product["stock"] != stock:
                    tell(product)
                self.respond(200, product)
            case ("DELETE", ["products", name]):
                del products[self.product(name)["id"]]
                self.respond(204)
            case ("POST", ["products", name, "photos"]):
                self.product(name)
                self.respond(201, self.photo(body))
            case ("PUT", ["products", name, "label"]):
                self.product(name)
                if self.content_type() != "application/octet-stream":
                    raise Failed(400, "the body must be application/octet-stream")
                self.respond(204)
            case _:
                raise Failed(404, f"there is no {path} for {self.command}")

    def product(self, name):
        if not re.fullmatch("p[0-9]{1,9}", name):
            raise Failed(400, "productId must be p and a number")
        if name not in products:
            raise Failed(404, f"there is no product {name}")
        return products[name]

    def content_type(self):
        return self.headers.get("Content-Type", "").split(";")[0].strip().lower()

    def json(self, body):
        if self.content_type() != "application/json":
            raise Failed(400, "the body must be application/json")
        try:
            return json.loads(body.decode("utf-8"), parse_constant=no_number)
        except (ValueError, RecursionError) as error:
            raise Failed(400, f"the body is not JSON: {error}") from None

    def photo(self, body):
        if self.content_type() != "multipart/form-data":
            raise Failed(400, "the body must be multipart/form-data")
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode("latin-1")
        message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        parts = {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in (message.iter_parts() if message.is_multipart() else [])
        }
        if "file" not in parts:
            raise Failed(400, "file is missing")
        caption = parts.get("caption", b"").decode("utf-8", "replace")
        if not 1 <= len(caption) <= 80:
            raise Failed(400, "caption must be a text of 1 to 80 characters")
        return {"id": "photo", "caption": caption, "size": len(parts["file"])}

    def stream(self):
        """Server-sent events, until the client disconnects."""
        changes = queue.Queue()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        watchers.add(changes)
        try:
            while True:
                try:
                    self.wfile.write(f"data: {json.dumps(changes.get(timeout=5))}\n\n".encode())
                except queue.Empty:
                    self.wfile.write(b": still there\n\n")
                self.wfile.flush()
        except OSError:
            pass
        finally:
            watchers.discard(changes)

    def respond(self, status, value=None, media="application/json", **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if value is not None:
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that disconnects early is not worth a message."""


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
server = Server(("127.0.0.1", int(os.environ.get("PORT", "4183"))), Shop)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
