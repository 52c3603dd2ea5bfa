"""A small OpenID provider on loopback: logs in whoever the test says, without a question."""

import base64
import contextlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "equipoise"


class Provider:
    """``person`` are the claims of who logs in, none for a refusal; ``forged`` signs wrongly."""

    def __init__(self, address):
        self.address, self.person, self.forged = address, None, False
        self.key, self.other = (RSAKey.generate_key(2048, {"kid": "one"}) for _ in range(2))
        self.codes = {}

    def secrets(self, port):
        """What ``secrets.toml`` says of it, for an app on this port."""
        return (
            f'[auth]\nredirect_uri = "http://localhost:{port}/oauth2callback"\n'
            f'cookie_secret = "{secrets.token_hex(32)}"\nclient_id = "{CLIENT}"\n'
            'client_secret = "known to both"\n'
            f'server_metadata_url = "{self.address}/.well-known/openid-configuration"\n'
            '[equipoise]\nsigners = ["ada@example.org"]\n'
        )

    def metadata(self):
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def back(self, asked):
        """Where the browser is sent: with a code, or with a refusal."""
        said = {"state": asked["state"]}
        if self.person is None:
            said["error"] = "access_denied"
        else:
            said["code"] = secrets.token_hex(8)
            self.codes[said["code"]] = asked.get("nonce", "")
        return f"{asked['redirect_uri']}?{urlencode(said)}"

    def token(self, asked):
        now = int(time.time())
        claims = {
            "iss": self.address, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 600,
            "nonce": self.codes.pop(asked["code"]), **self.person,
        }  # fmt: skip
        key = self.other if self.forged else self.key
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}


@contextlib.contextmanager
def providing():
    """A running provider."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = urlsplit(self.path)
            asked = {key: values[0] for key, values in parse_qs(path.query).items()}
            if path.path == "/authorize":
                self.send_response(302)
                self.send_header("location", provider.back(asked))
                self.end_headers()
            elif path.path == "/keys":
                self.answer({"keys": [provider.key.as_dict(private=False)]})
            else:
                self.answer(provider.metadata())

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            assert base64.b64decode(self.headers["authorization"].split()[1]).startswith(b"equi")
            self.answer(provider.token({k: v[0] for k, v in parse_qs(body).items()}))

        def answer(self, document):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider = Provider(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
