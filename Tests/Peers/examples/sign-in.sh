#!/bin/sh
# Signs a person in as an app on a device would, and checks the identity token that comes of it.
set -eu

folder=$(mktemp -d)
siwa emulate --port 0 --ready-file "$folder/ready.json" >"$folder/log" &
emulator=$!
trap 'kill "$emulator"; wait "$emulator"; rm -r "$folder"' EXIT
until [ -e "$folder/ready.json" ]; do kill -0 "$emulator"; sleep 0.05; done

member() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }
apple=$(member baseURL <"$folder/ready.json")
call() { curl -fsS -H 'Content-Type: application/json' -d "$2" "$apple/emulator/$1"; }

order='{"person": "johnny", "clientID": "com.example.juice", "native": true, "scope": "name email"}'
token=$(call authorizations "$order" | member id_token)
echo "$token" | siwa token verify --audience com.example.juice --keys "$apple/auth/keys"

# A person stops using the app: the next sign-in is a first one again, with the name.
call grants/stop-using '{"person": "johnny", "clientID": "com.example.juice"}'
call authorizations "$order" | grep -q Appleseed
echo "the name came twice"
