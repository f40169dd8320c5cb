"""The app's own backend, which hears by webhook of what happens to accounts."""

import base64
import hashlib
import hmac
import http.server
import json
import secrets
import threading


class Backend:
    """Takes every message, and keeps what each account's were, in the order in which they first came."""

    def __init__(self):
        self.key = secrets.token_bytes(32)
        self.lock, self.seen, self.told = threading.Lock(), set(), {}
        backend = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204 if backend.take(self.headers, body) else 401)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # For `siwa serve`.
        self.environment = {
            "SIWA_WEBHOOK_URL": f"http://127.0.0.1:{self.server.server_port}/hooks",
            "SIWA_WEBHOOK_SECRET": "whsec_" + base64.b64encode(self.key).decode()}

    def take(self, headers, body):
        id = headers["webhook-id"]
        signed = f"{id}.{headers['webhook-timestamp']}.".encode() + body
        code = base64.b64encode(hmac.new(self.key, signed, hashlib.sha256).digest()).decode()
        if headers["webhook-signature"] != "v1," + code:
            return False
        message = json.loads(body)
        with self.lock:
            if id not in self.seen:
                self.seen.add(id)
                self.told.setdefault(message["data"]["accountID"], []).append(message)
        return True

    def types(self, account):
        with self.lock:
            messages = list(self.told.get(account, []))
        numbers = [message["data"]["sequence"] for message in messages]
        assert numbers == sorted(set(numbers)), "out of order"
        return [message["type"] for message in messages]

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
