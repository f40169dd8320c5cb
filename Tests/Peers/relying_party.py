"""Serves somebody's WSGI application on a port of its own, in a thread that ends with it."""

import threading
import wsgiref.simple_server


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


class RelyingParty:
    """The port is known before the application is: return URLs are registered first."""

    def __init__(self):
        self.server = wsgiref.simple_server.make_server("127.0.0.1", 0, None, handler_class=Quiet)
        self.url = f"http://localhost:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

    def serve(self, application):
        self.server.set_app(application)

    def close(self):
        self.server.shutdown()
        self.thread.join(10)
        self.server.server_close()
