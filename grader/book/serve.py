"""The book, served on this machine."""

from __future__ import annotations

import functools
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from ..errors import WrongUse

HOST = "127.0.0.1"  # nobody else on the network is shown anything


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and keeps the terminal for what matters."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def end_headers(self) -> None:
        """A book that was built anew is shown anew."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


def server(site: str, port: int) -> ThreadingHTTPServer:
    """A server that is ready; port 0 takes any that is free.

    Raises:
        WrongUse: the port is taken, or not ours.
    """
    handler = functools.partial(Quiet, directory=site)
    try:
        return ThreadingHTTPServer((HOST, port), handler)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise WrongUse(f"Port {port} cannot be used ({why}). Name another: --serve 0.") from error


def serve(site: str, port: int, page: str) -> int:
    """Serve a site until it is stopped."""

    with server(site, port) as running:
        address = f"http://{running.server_address[0]!s}:{running.server_address[1]}/{page}"
        print(f"The book is at {address} until you press Ctrl-C.", flush=True)
        running.serve_forever()
    return 0
