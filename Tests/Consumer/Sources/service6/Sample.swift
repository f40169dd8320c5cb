/// A token of an account service that is no more, with the public half of its key.
enum Sample {
    static let issuer = "https://accounts.example.com"
    static let audience = "https://api.example.com"
    /// Seconds since 1970.
    static let issuedAt = 1_800_000_000.0

    static let keySet = """
        {"keys": [{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "key_1",
          "x": "9Ta_yHnJU0QPHC_y9PY42KDABEmY8EtrnyesWbOiqUY",
          "y": "DHqxMZJTHh41hkelQWZ4OJoPUNtYMuKAogc7pg71ITA"}]}
        """

    static let token =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleV8xIiwidHlwIjoiYXQrand0In0.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1w"
        + "bGUuY29tIiwiYXVkIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20iLCJzdWIiOiJhY2NfMSIsInNpZCI6InNlc18xIiwiY2xpZW50"
        + "X2lkIjoiY29tLmV4YW1wbGUuanVpY2UiLCJpYXQiOjE4MDAwMDAwMDAsImV4cCI6MTgwMDAwMDYwMCwiYXV0aF90aW1lIjoxNzk5"
        + "OTk5OTAwLCJqdGkiOiJvbmUifQ.0F8XrWSDyEbNUTFGY23ghvSttJY0K3av4042JssJU1xtyNzOqXj8LekcdI9-KvO5L_enTUtJD"
        + "-NakkI7i5SjVw"
}
