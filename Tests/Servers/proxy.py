"""nginx in front of two servers."""

import os
import socket
import subprocess

# Debian keeps it where only root's path leads.
NGINX = os.environ.get("NGINX_PROGRAM", "/usr/sbin/nginx")

CONFIGURATION = """
daemon off;
worker_processes 1;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream siwa {{
        {servers}
        keepalive 16;
    }}
    # A client that names a server gets that one; all others get one after the other.
    map $http_x_server $chosen {{
        {choices}
        default siwa;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://$chosen;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            add_header X-Served-By $upstream_addr always;
        }}
    }}
}}
"""


class Proxy:
    """The port is known, and taken, before there are servers: their public URL has it."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.process = None

    def lead_to(self, *servers):
        """To these, and to no others any more."""
        self.end()
        file = self.folder / "nginx.conf"
        file.write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port,
            # Its workers would lose root's rights, and with them their folders.
            user="user root;" if os.geteuid() == 0 else "",
            servers="".join(f"server 127.0.0.1:{server.port} max_fails=0;" for server in servers),
            choices="".join(f"{server.port} 127.0.0.1:{server.port};" for server in servers)))
        descriptor = self.socket.fileno()
        # This variable is nginx's own: a socket that listens already.
        self.process = subprocess.Popen(
            [NGINX, "-p", str(self.folder), "-c", str(file), "-e", str(self.folder / "error.log")],
            env={**os.environ, "NGINX": f"{descriptor};"}, pass_fds=[descriptor],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        if self.process:
            self.process.terminate()
            assert self.process.wait(20) == 0, (self.folder / "error.log").read_text()
            self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.socket.close()
