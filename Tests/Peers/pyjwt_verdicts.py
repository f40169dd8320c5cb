"""Asks PyJWT about the tokens that our verifier was asked about (MutationTests), and explains every difference.

    pyjwt_verdicts.py FILE     FILE is what the test wrote to SIWA_MUTATIONS

PyJWT is set to what it can be set to: RS256, issuer, audience, leeway, required claims, the key that `kid` names. A token
that both take or both refuse is fine. One that PyJWT takes and we refuse has to break one of the rules that we add; one that
we take and PyJWT refuses has to be refused for `jti`, in PyJWT's own words for that, and for nothing else: asked not to
look at it, PyJWT has to take it.
"""

import base64
import collections
import datetime
import json
import sys

import jwt
import jwt.api_jwt
import jwt.exceptions

ISSUER = "https://appleid.apple.com"
LEEWAY = 60


def segment(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_canonical(text):
    """Whether this is the one spelling of what it says; PyJWT passes over foreign characters and padding."""
    try:
        return base64.urlsafe_b64encode(segment(text)).rstrip(b"=").decode() == text
    except (ValueError, UnicodeError):
        return False


def strict(text):
    """The value of a segment as we read it, or None where we would not."""

    def members(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise ValueError("a member comes twice")
        return dict(pairs)

    def constant(name):
        raise ValueError(name)

    try:
        if not is_canonical(text):
            return None
        value = json.loads(segment(text).decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
        rendered = json.dumps(value)
    except (ValueError, UnicodeError, RecursionError):
        return None
    # U+0000, and halves of characters (which no UTF-8 has).
    if "\\u0000" in rendered or has_lone_surrogate(value):
        return None
    return value if isinstance(value, dict) else None


def has_lone_surrogate(value):
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return False
    except UnicodeEncodeError:
        return True


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def malformed_claim(claims):
    times = ["exp", "iat"] + [name for name in ("nbf",) if name in claims]
    return (
        any(not is_number(claims.get(name)) or abs(claims[name]) > 253_402_300_799 for name in times)
        or not isinstance(claims.get("iss"), str)
        or not isinstance(claims.get("sub", ""), str)
        or len(str(claims.get("sub", "")).encode()) > 255
        or not isinstance(claims.get("nonce", ""), str)
        or not (
            isinstance(claims.get("aud"), str)
            or isinstance(claims.get("aud"), list) and all(isinstance(name, str) for name in claims["aud"])
        )
    )


# Why we may refuse what PyJWT takes: the code, and the proof that the token breaks the rule.
ADDED = {
    "malformed_token": lambda token, header, claims: header is None
    or claims is None
    or "crit" in header
    or "b64" in header
    or not isinstance(header.get("kid"), str)
    or not is_canonical(token.split(".")[2]),
    "malformed_claim": lambda token, header, claims: malformed_claim(claims),
    "not_an_identity_token": lambda token, header, claims: "events" in claims,
    "nonce_mismatch": lambda token, header, claims: "nonce" in claims,
    "subject_missing": lambda token, header, claims: claims.get("sub", "") == "",
    "token_too_large": lambda token, header, claims: len(token) > 16_384,
}


# Apple sends `jti` in notifications only, so it means nothing in an identity token here.
ONLY_PYJWT = {
    (jwt.exceptions.InvalidJTIError, "JWT ID must be a string"): "jti is no text",
}


def refused_by_pyjwt_alone(error, token, keys, audience):
    """For which claim of its own PyJWT refuses the token, if for nothing else."""
    reason = ONLY_PYJWT.get((type(error), str(error)))
    if reason is None or verdict(token, keys, audience, verify_jti=False) is not None:
        return None
    return reason


def verdict(token, keys, audience, **options):
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        if kid not in keys:
            return jwt.InvalidKeyError("no such key")
        jwt.decode(
            token, keys[kid], algorithms=["RS256"], audience=audience, issuer=ISSUER, leeway=LEEWAY,
            options={"require": ["exp", "iat", "iss", "aud", "sub"], **options},
        )
        return None
    except jwt.PyJWTError as error:
        return error
    except (ValueError, TypeError, OverflowError, RecursionError, UnicodeError) as error:
        # PyJWT's own reader gave up: nobody is signed in by that either.
        return error


def main(path):
    with open(path, encoding="utf-8") as file:
        corpus = json.load(file)
    now = datetime.datetime.fromtimestamp(corpus["now"], tz=datetime.timezone.utc)

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return now

    jwt.api_jwt.datetime = Clock
    keys = {key["kid"]: jwt.PyJWK(key) for key in corpus["keys"]["keys"]}
    counts = collections.Counter()
    unexplained = []
    for entry in corpus["tokens"]:
        token, code = entry["token"], entry["code"]
        error = verdict(token, keys, corpus["audience"])
        if (error is None) == (code == "ok"):
            counts["both take it" if error is None else "both refuse it"] += 1
            continue
        parts = token.split(".")
        header = strict(parts[0]) if len(parts) == 3 else None
        claims = strict(parts[1]) if len(parts) == 3 else None
        reason = error and refused_by_pyjwt_alone(error, token, keys, corpus["audience"])
        if error is None and code in ADDED and ADDED[code](token, header, claims):
            counts[f"only we refuse it: {code}"] += 1
        elif reason and claims is not None:
            counts[f"only PyJWT refuses it: {reason}"] += 1
        else:
            unexplained.append((code, repr(error), token))
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    if len(corpus["tokens"]) < 10_000 or not counts["both take it"] or not counts["both refuse it"]:
        sys.exit("error: the corpus is not what it should be")
    for code, error, token in unexplained[:10]:
        print(f"error: we say {code}, PyJWT says {error}: {token}", file=sys.stderr)
    if unexplained:
        sys.exit(f"error: {len(unexplained)} differences are none of the rules that we add")


if __name__ == "__main__":
    main(sys.argv[1])
