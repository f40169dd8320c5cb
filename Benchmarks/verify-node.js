// Verifies identity tokens with Node's own crypto, as careful code without a library does it: signature, issuer, audience,
// times, nonce. Prints how many a second of processor time, one figure a round.
//
// usage: node verify-node.js TOKENS ROUNDS MILLISECONDS
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");

const input = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const [rounds, milliseconds] = process.argv.slice(3).map(Number);
const keys = new Map(input.keySet.keys.map((key) => [key.kid, crypto.createPublicKey({ key, format: "jwk" })]));

function verify({ token, nonce }) {
  const [header, payload, signature] = token.split(".");
  const { alg, kid } = JSON.parse(Buffer.from(header, "base64url").toString());
  const key = keys.get(kid);
  if (alg !== "RS256" || key === undefined) throw new Error("key");
  const signed = Buffer.from(token.slice(0, token.length - signature.length - 1));
  if (!crypto.verify("sha256", signed, key, Buffer.from(signature, "base64url"))) throw new Error("signature");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const now = Date.now() / 1000;
  if (claims.iss !== "https://appleid.apple.com" || claims.aud !== input.audience) throw new Error("claims");
  if (claims.exp <= now - 60 || claims.iat > now + 60) throw new Error("time");
  if (claims.nonce !== crypto.createHash("sha256").update(nonce).digest("hex")) throw new Error("nonce");
  return claims;
}

function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const rates = [];
for (let round = 0; round <= rounds; round++) {
  const start = processorSeconds();
  let count = 0;
  while (processorSeconds() - start < milliseconds / 1000) {
    for (let step = 0; step < 100; step++) verify(input.tokens[count++ % input.tokens.length]);
  }
  if (round > 0) rates.push(count / (processorSeconds() - start));
}
console.log(JSON.stringify(rates));
