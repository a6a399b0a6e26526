"""A server of plants on Python's standard library, which keeps them in a file and has a connection to it for each request.

The first argument names a fault; without one the server is lawful. It prints its URL, and ends with its standard input.
"""

import functools
import json
import os
import re
import sqlite3
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
FOLDER = tempfile.TemporaryDirectory()
NUMBERS = (int, float)


def whole(value, least, most):
    return type(value) in NUMBERS and least <= value <= most and value == int(value)


def text(value, least, most):
    return isinstance(value, str) and least <= len(value) <= most


CHECKS = {
    "name": lambda value: text(value, 1, 80),
    "kind": lambda value: value in ("fern", "moss", "palm"),
    "height": lambda value: whole(value, 0, 1000),
    "weight": lambda value: type(value) in NUMBERS and 0 <= value <= 1000,
    "isEdible": lambda value: isinstance(value, bool),
    "tags": lambda value: isinstance(value, list) and len(value) <= 5 and all(text(tag, 0, 20) for tag in value),
    "place": lambda value: isinstance(value, dict)
    and text(value.get("room"), 0, 40)
    and ("shelf" not in value or whole(value["shelf"], 1, 9)),
}
FIELDS = tuple(CHECKS)


class Rejected(Exception):
    def __init__(self, status):
        self.status = status


def connect():
    database = sqlite3.connect(os.path.join(FOLDER.name, "plants.db"), timeout=20)
    database.execute("PRAGMA synchronous = OFF")  # nothing has to survive a crash
    return database


def column(name, value):
    if FAULT == "what is falsy is not stored" and not value:
        return None
    if FAULT == "texts are stripped" and isinstance(value, str):
        value = value.strip()
    return json.dumps(value)


def select(database, id):
    row = database.execute(f"SELECT id, {', '.join(FIELDS)} FROM plants WHERE id = ?", (id,)).fetchone()
    return row and plant_of(row)


def plant_of(row):
    return {"id": row[0]} | {name: json.loads(value) for name, value in zip(FIELDS, row[1:]) if value is not None}


@functools.lru_cache
def cached(id):
    return select(connect(), id)


class Plants(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one write for each response

    def log_message(self, *args):
        pass

    def __getattr__(self, name):
        """http.server calls do_METHOD; here one method serves all."""
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def handle_expect_100(self):
        continues = super().handle_expect_100()
        self.wfile.flush()
        return continues

    def serve(self):
        content = self.content()
        database = connect()
        try:
            if not re.fullmatch("(?i:bearer) +green-thumb", self.headers.get("Authorization", "").strip()):
                raise Rejected(401)
            if self.command in ("POST", "PUT", "PATCH", "DELETE"):
                database.execute("BEGIN IMMEDIATE")
            answer = self.answer(database, content)
            if FAULT != "a commit is forgotten" or self.command != "POST":
                database.commit()
        except Rejected as rejection:
            answer = rejection.status, {"error": f"status {rejection.status}"}
        finally:
            database.close()
        self.respond(*answer)

    def answer(self, database, content):
        url = urlsplit(self.path)
        if url.path == "/plants" and self.command == "POST":
            fields = self.fields(content, True)
            check(fields)
            rest = [column(name, fields.get(name)) if name in fields else None for name in FIELDS]
            places = ", ".join("?" for _ in FIELDS)
            id = database.execute(f"INSERT INTO plants ({', '.join(FIELDS)}) VALUES ({places})", rest).lastrowid
            return 201, {"id": id} | fields, {"Location": f"/plants/{id}"}
        if url.path == "/plants" and self.command == "GET":
            return 200, self.page(database, parse_qs(url.query, keep_blank_values=True))
        item = re.fullmatch("/plants/([^/]+)", url.path)
        if item is None:
            raise Rejected(405 if url.path == "/plants" else 404)
        id = int(item[1]) if re.fullmatch("[0-9]{1,10}", item[1]) else 0
        if not 1 <= id <= 2147483647:
            raise Rejected(400)
        if self.command == "GET":
            return 200, found(cached(id) if FAULT == "lru_cache is not cleared" else select(database, id))
        if self.command in ("PUT", "PATCH"):
            return 200, self.change(database, id, self.fields(content, self.command == "PUT"))
        if self.command == "DELETE":
            found(select(database, id))
            database.execute("DELETE FROM plants WHERE id = ?", (id,))
            return 204, None
        raise Rejected(405)

    def page(self, database, query):
        limit, offset = number(query, "limit", 10), number(query, "offset", 0)
        if not 1 <= limit <= 100 or offset < 0:
            raise Rejected(400)
        rows = database.execute(f"SELECT id, {', '.join(FIELDS)} FROM plants ORDER BY id LIMIT ? OFFSET ?", (limit, offset))
        total = database.execute("SELECT count(*) FROM plants").fetchone()[0]
        return {"items": [plant_of(row) for row in rows], "total": total}

    def change(self, database, id, fields):
        stores_at_once = FAULT == "each property is stored when it was checked"
        if not stores_at_once:
            check(fields)
        before = found(select(database, id))
        if self.command == "PUT":
            before = {"id": id}
            database.execute(f"UPDATE plants SET {', '.join(f'{name} = NULL' for name in FIELDS)} WHERE id = ?", (id,))
        for name, value in fields.items():
            check({name: value})
            database.execute(f"UPDATE plants SET {name} = ? WHERE id = ?", (column(name, value), id))
            if stores_at_once:
                database.commit()
        return before | fields

    def fields(self, content, is_whole):
        """The declared properties of the body."""
        if not re.match(r"(?i)application/json\s*(;|$)", self.headers.get("Content-Type", "")):
            raise Rejected(400)
        try:
            value = json.loads(content.decode("utf-8"), parse_constant=no_constant)
        except (ValueError, RecursionError):
            raise Rejected(400) from None
        if not isinstance(value, dict) or is_whole and "name" not in value:
            raise Rejected(400)
        return {name: value[name] for name in value if name in FIELDS}

    def content(self):
        if "Transfer-Encoding" not in self.headers:
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        content = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():  # trailers
            pass
        return content

    def respond(self, status, value, headers={}):
        content = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if status == 401:
            error = ', error="invalid_token"' if "Authorization" in self.headers else ""
            self.send_header("WWW-Authenticate", f'Bearer realm="plants"{error}')
        if status == 405:
            self.send_header("Allow", "GET, POST, PUT, PATCH, DELETE")
        for name, header in headers.items():
            self.send_header(name, header)
        if value is not None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else content)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def check(fields):
    if not all(CHECKS[name](value) for name, value in fields.items()):
        raise Rejected(400)


def found(plant):
    if plant is None:
        raise Rejected(404)
    return plant


def number(query, name, usual):
    value = query.get(name, [str(usual)])[0]
    if not re.fullmatch("-?[0-9]{1,19}", value):
        raise Rejected(400)
    return int(value)


with connect() as database:
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(f"CREATE TABLE plants (id INTEGER PRIMARY KEY AUTOINCREMENT, {', '.join(FIELDS)})")
server = ThreadingHTTPServer(("127.0.0.1", 0), Plants)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
sys.stdin.read()
