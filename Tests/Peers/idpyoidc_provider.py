"""An OpenID Provider made with the library idpyoidc. PKCE is required, clients authenticate by `private_key_jwt`, browsers come
back by `form_post`, and identity tokens are signed with ES256 and say when the person authenticated.

    idpyoidc_provider.py PORT REDIRECT_URI CLIENT_KEYS

CLIENT_KEYS is a file with the client's public key set. It isn't the configuration that was certified: a page asks whoever comes to
sign in, as diana, without a password. Beside the page, two things here are ours: that answers by a form name the issuer, and that
the audience of an assertion is the issuer.
"""

import html
import json
import sys
import tempfile
import time

from flask import Flask, make_response, request
from idpyoidc.message.oidc import AuthorizationRequest
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.oidc.authorization import Authorization
from idpyoidc.server.user_authn.authn_context import INTERNETPROTOCOLPASSWORD
from idpyoidc.server.user_authn.user import UserAuthnMethod


class NamedAuthorization(Authorization):
    """Names the issuer in each answer (RFC 9207), which idpyoidc does for queries alone."""

    def response_mode(self, request, response_args=None, **kwargs):
        if response_args is not None:
            response_args["iss"] = self.upstream_get("context").issuer
        return super().response_mode(request, response_args=response_args, **kwargs)


class SignInPage(UserAuthnMethod):
    """A page with one button."""

    def authenticated_as(self, client_id, cookie=None, **kwargs):
        return None, 0

    def __call__(self, **kwargs):
        query = html.escape(kwargs["query"])
        return (
            f'<form method="post" action="/sign-in"><input type="hidden" name="query" value="{query}">'
            "<button>Sign in as Diana</button></form>")


CLIENT = "siwa-1"
PERSON = {
    "sub": "diana", "given_name": "Diana", "family_name": "Krall", "name": "Diana Krall", "email": "diana@example.org",
    "email_verified": True}

CLAIMS = {"email": None, "email_verified": None, "given_name": None, "family_name": None, "name": None}


def provider(issuer):
    folder = tempfile.mkdtemp()
    return Server(OPConfiguration({
        "issuer": issuer,
        "key_conf": {"key_defs": [{"type": "EC", "crv": "P-256", "use": ["sig"]}], "uri_path": "keys"},
        "httpc_params": {"verify": False},
        "token_handler_args": {
            "jwks_file": f"{folder}/token_jwks.json", "code": {"kwargs": {"lifetime": 60}},
            "jwks_def": {"private_path": f"{folder}/token_jwks.json", "read_only": False, "key_defs": [
                {"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}]},
            "token": {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 600}},
            "id_token": {"class": "idpyoidc.server.token.id_token.IDToken", "kwargs": {"base_claims": CLAIMS}}},
        "endpoint": {
            "provider_config": {
                "path": ".well-known/openid-configuration",
                "class": "idpyoidc.server.oidc.provider_config.ProviderConfiguration",
                "kwargs": {"client_authn_method": None}},
            "authorization": {
                "path": "authorization", "class": "idpyoidc_provider.NamedAuthorization",
                "kwargs": {
                    "client_authn_method": None, "response_types_supported": ["code"],
                    "response_modes_supported": ["form_post"]}},
            "token": {
                "path": "token", "class": "idpyoidc.server.oidc.token.Token",
                "kwargs": {"client_authn_method": ["private_key_jwt"]}},
            "userinfo": {"path": "userinfo", "class": "idpyoidc.server.oidc.userinfo.UserInfo", "kwargs": {}}},
        "add_on": {"pkce": {
            "function": "idpyoidc.server.oauth2.add_on.pkce.add_support",
            "kwargs": {"essential": True, "code_challenge_method": "S256"}}},
        "authentication": {"anyone": {
            "acr": INTERNETPROTOCOLPASSWORD, "class": "idpyoidc_provider.SignInPage", "kwargs": {}}},
        "userinfo": {"class": "idpyoidc.server.user_info.UserInfo", "kwargs": {"db": {"diana": PERSON}}},
        "preference": {"id_token_signing_alg_values_supported": ["ES256"]},
    }))


def main(port, redirect_uri, key_file):
    issuer = f"http://127.0.0.1:{port}"
    server = provider(issuer)
    context = server.context
    # RFC 7523bis: the audience of a client's assertion is the issuer. By itself idpyoidc takes the endpoint's address.
    server.get_endpoint("token").allowed_targets.append("")
    context.cdb[CLIENT] = {
        "redirect_uris": [(redirect_uri, {})], "response_types_supported": ["code"], "token_endpoint_auth_method":
        "private_key_jwt", "id_token_signed_response_alg": "ES256", "allowed_scopes": ["openid", "email", "profile"],
        "scope": ["openid", "email", "profile"], "jwks": {}}
    with open(key_file) as file:
        server.keyjar.import_jwks(json.load(file), CLIENT)
    site = Flask(__name__)

    def answer(endpoint, arguments):
        if "http_response" in arguments:
            return make_response(arguments["http_response"])
        if "error" in arguments:
            # Refusals are for the test's log; the library gets what the standard says.
            return make_response(arguments.to_json() if hasattr(arguments, "to_json") else json.dumps(arguments), 400)
        told = endpoint.do_response(**arguments)
        if told.get("response_placement", endpoint.response_placement) == "body" or "<html" in told["response"]:
            response = make_response(told["response"], told.get("response_code", 200))
        else:
            response = make_response("", 303)
            response.headers["Location"] = told["response"]
        for name, value in told.get("http_headers", []):
            response.headers[name] = value
        return response

    def serve(name, body):
        endpoint = server.get_endpoint(name)
        parsed = endpoint.parse_request(body, http_info={
            "headers": {key.lower(): value for key, value in request.headers.items()}, "method": request.method,
            "url": request.url, "cookie": []})
        if "error" in parsed:
            return answer(endpoint, parsed)
        return answer(endpoint, endpoint.process_request(parsed))

    @site.get("/.well-known/openid-configuration")
    def document():
        told = dict(context.provider_info)
        told["authorization_response_iss_parameter_supported"] = True
        return told

    @site.get("/keys")
    def keys():
        return server.keyjar.export_jwks("")

    @site.get("/authorization")
    def authorization():
        return serve("authorization", request.args.to_dict())

    @site.post("/sign-in")
    def sign_in():
        endpoint = server.get_endpoint("authorization")
        asked = AuthorizationRequest().from_urlencoded(request.form["query"])
        method = context.authn_broker.pick(INTERNETPROTOCOLPASSWORD)[0]["method"]
        session = endpoint.create_session(asked, "diana", INTERNETPROTOCOLPASSWORD, int(time.time()), method)
        return answer(endpoint, endpoint.authz_part2(request=asked, session_id=session))

    @site.post("/token")
    def token():
        return serve("token", request.form.to_dict())

    site.run("127.0.0.1", port)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
