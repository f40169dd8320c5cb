import Testing

@testable import AppleIDEmulator

/// Requests with a secret that is good at the given time, for clocks that were turned.
extension TestEmulator {
    /// Returns the tokens that Johnny's sign-in on the web gives its client.
    func tokens(
        _ changes: [String: any Sendable] = [:], at now: Int64 = start
    ) async throws -> [String: any Sendable] {
        let code = try #require(try await authorize(changes)["code"] as? String)
        let answer = try await redeem(code, ["client_secret": try secret(at: now)])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json
    }

    func refresh(_ token: String, at now: Int64 = start) async throws -> Answer {
        try await redeem(
            "",
            [
                "grant_type": "refresh_token", "refresh_token": token, "code": nil, "redirect_uri": nil,
                "client_secret": try secret(at: now),
            ])
    }

    /// `POST /auth/revoke` as the web client; a nil value takes a field away.
    func revoke(_ token: String, _ changes: [String: String?] = [:], at now: Int64 = start) async throws -> Answer {
        var form = ["token": token, "client_id": "com.example.juice.web", "client_secret": try secret(at: now)]
        for (name, value) in changes { form[name] = value }
        return try await post("/auth/revoke", form: form.sorted { $0.key < $1.key })
    }

    func secret(at now: Int64) throws -> String {
        try secret {
            $0.claims["iat"] = now - 30
            $0.claims["exp"] = now + 300
        }
    }
}
