"""A Flask site whose users sign in with Apple, by Authlib, told nothing but where discovery is."""

import time

import flask
from authlib.integrations.flask_client import OAuth
from joserfc import jwt
from joserfc.jwk import ECKey


def client_secret(team, client):
    """Apple wants a short-lived JWT of the team's where others have a password."""
    key = team["apps"][0]["keys"][0]
    now = int(time.time())
    claims = {"iss": team["id"], "iat": now, "exp": now + 300, "aud": "https://appleid.apple.com", "sub": client}
    header = {"alg": "ES256", "kid": key["id"]}
    return jwt.encode(header, claims, ECKey.import_key(key["privateKey"]))


def application(emulator, client):
    app = flask.Flask("juice")
    app.secret_key = "for this test only"
    apple = OAuth(app).register(
        "apple",
        client_id=client,
        client_secret=client_secret(emulator.team, client),
        server_metadata_url=f"{emulator.url}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid name email", "token_endpoint_auth_method": "client_secret_post",
            "code_challenge_method": "S256"})

    @app.get("/sign-in")
    def sign_in():
        return apple.authorize_redirect(
            flask.url_for("callback", _external=True), response_mode="form_post")

    @app.post("/apple/callback")
    def callback():
        if "error" in flask.request.form:
            return {"error": flask.request.form["error"]}, 400
        # Checks state, redeems the code with the verifier, and verifies signature, audience, issuer and nonce.
        tokens = apple.authorize_access_token()
        return {"claims": tokens["userinfo"], "tokens": tokens, "user": flask.request.form.get("user")}

    return app
