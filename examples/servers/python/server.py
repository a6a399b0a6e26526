"""A plant store on Python's standard library."""

import hmac
import json
import os
import re
import signal
import sys
from decimal import Decimal, InvalidOperation
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ.get("TOKEN", "secret")
LARGEST_BODY = 16 * 1024 * 1024
INT64 = range(-(2**63), 2**63)


class Rejected(Exception):
    pass


def number(source):
    """Numbers stay decimal: a float cannot hold every int64."""
    try:
        return Decimal(source)
    except InvalidOperation:  # the exponent is too large
        return Decimal("Infinity")


def constant(name):
    raise ValueError(f"{name} is not JSON")


def parse(body):
    try:
        return json.loads(body.decode("utf-8"), parse_int=number, parse_float=number, parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"not JSON: {error}") from None


def is_int64(value):
    """In JSON Schema, 1.0 and 1e3 are integers too."""
    if not isinstance(value, Decimal) or not INT64.start <= value < INT64.stop:
        return False
    return value == value.to_integral_value()


def plant(body):
    if not isinstance(body, dict):
        raise Rejected("the body is not an object")
    if not is_int64(body.get("id")):
        raise Rejected("id is not an int64")
    created = {key: body[key] for key in ("name", "tag") if key in body}
    if "name" not in created or not all(isinstance(value, str) for value in created.values()):
        raise Rejected("name must be a string, and so must tag if there is one")
    return created


class PlantStore(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one write for each response

    def __getattr__(self, name):
        """http.server calls do_METHOD; here one method serves all."""
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def serve(self):
        try:
            self.check_framing()
            body = self.body()
            path = re.sub("^https?://[^/?]*", "", self.path, flags=re.I)  # clients of a proxy send the whole URL
            if path.split("?")[0] != "/plants":
                self.respond(404, {"error": 404, "message": "not found"})
            elif self.command != "POST":
                self.respond(405, {"error": 405, "message": "method not allowed"}, Allow="POST")
            else:
                self.authenticate()
                if self.headers.get("Content-Type", "").split(";")[0].strip().lower() != "application/json":
                    raise Rejected("the body is not application/json")
                self.respond(200, plant(parse(body)))
        except Rejected as rejection:
            self.respond(400, {"error": 1, "message": str(rejection)})

    def authenticate(self):
        given = self.headers.get_all("Authorization", [])
        # http.server keeps white space at the end of a value, which does not belong to it (RFC 9110 5.5).
        scheme, _, token = given[0].rstrip(" \t").partition(" ") if len(given) == 1 else ("", "", "")
        right = hmac.compare_digest(token.strip(" ").encode("latin-1"), TOKEN.encode())
        if scheme.lower() != "bearer" or not right:
            raise Rejected("a valid bearer token is needed")

    def check_framing(self):
        """Rejects what http.server accepts, although HTTP/1.1 (RFC 9112, 3.2 and 6) forbids it."""
        hosts, lengths, codings = (self.headers.get_all(name, []) for name in ("Host", "Content-Length", "Transfer-Encoding"))
        if len(hosts) != 1 and (hosts or self.request_version == "HTTP/1.1"):
            raise self.misframed("there must be exactly one Host")
        if not all(re.fullmatch(r"[\w.:\[\]-]*", host) for host in hosts):
            raise self.misframed("Host is not a valid host")
        if not all(re.fullmatch("[0-9]+", length) for length in lengths) or len(lengths) > 1:
            raise self.misframed("there must be one valid Content-Length")
        if codings and (lengths or [coding.lower() for coding in codings] != ["chunked"]):
            raise self.misframed("the length of the body is ambiguous")

    def misframed(self, message):
        """It is unknown where the next request would begin, so the connection ends."""
        self.close_connection = True
        return Rejected(message)

    def handle_expect_100(self):
        continues = super().handle_expect_100()
        self.wfile.flush()
        return continues

    def body(self):
        if "Transfer-Encoding" in self.headers:
            return b"".join(self.chunks())
        return self.read(int(self.headers.get("Content-Length", "0")))

    def chunks(self):
        total = 0
        while size := self.chunk_size():
            total += size
            yield self.read(size if total <= LARGEST_BODY else total)
            if self.rfile.readline().strip():
                raise self.misframed("a chunk is longer than its size")
        while self.rfile.readline().strip():  # trailers
            pass

    def chunk_size(self):
        size = self.rfile.readline().split(b";")[0].strip()
        if not re.fullmatch(b"[0-9A-Fa-f]{1,16}", size):
            raise self.misframed("a chunk has no size")
        return int(size, 16)

    def read(self, size):
        if size > LARGEST_BODY:
            raise self.misframed("the body is too long")
        body = self.rfile.read(size)
        if len(body) < size:
            raise self.misframed("the body is cut off")
        return body

    def respond(self, status, value, **headers):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if self.close_connection:
            self.send_header("Connection", "close")
        for name, content in headers.items():
            self.send_header(name, content)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)
        self.wfile.flush()

    def send_error(self, code, message=None, explain=None):
        """Rejects what http.server itself cannot read, in the same shape."""
        self.close_connection = True
        self.respond(400, {"error": code, "message": message or "bad request"})

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        """A client that disconnects early is not worth a message."""


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
server = Server(("127.0.0.1", int(os.environ.get("PORT", "4020"))), PlantStore)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
