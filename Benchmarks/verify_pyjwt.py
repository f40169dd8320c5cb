"""Verifies identity tokens with PyJWT, and their nonce. Prints how many a second of processor time, one figure a round.

usage: verify_pyjwt.py TOKENS ROUNDS MILLISECONDS
"""

import hashlib
import json
import sys
import time

import jwt

given = json.load(open(sys.argv[1]))
rounds, milliseconds = int(sys.argv[2]), int(sys.argv[3])
keys = {key.key_id: key for key in jwt.PyJWKSet.from_dict(given["keySet"]).keys}


def verify(token, nonce):
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(
        token, key, algorithms=["RS256"], audience=given["audience"], issuer="https://appleid.apple.com", leeway=60,
        options={"require": ["iss", "aud", "exp", "iat", "sub"]})
    if claims.get("nonce") != hashlib.sha256(nonce.encode()).hexdigest():
        raise ValueError("nonce")


rates = []
for number in range(rounds + 1):
    start, count = time.process_time(), 0
    while time.process_time() - start < milliseconds / 1000:
        for _ in range(50):
            verify(**given["tokens"][count % len(given["tokens"])])
            count += 1
    if number > 0:
        rates.append(count / (time.process_time() - start))
print(json.dumps(rates))
