import AccountAPI
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Challenges")
struct ChallengeTests {
    @Test(
        "A challenge for a sign-in needs no session",
        arguments: ["{}", #"{"purpose":null}"#, #"{"purpose":"sign_in"}"#])
    func signIn(json: String) async throws {
        try await withService { client, service in
            let answer = try await client.post("/v1/challenges", json: json)
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            let challenge = try answer.decode(ChallengeAnswer.self)
            #expect(challenge.nonce.hasPrefix("c1."))
            #expect(challenge.expiresAt == APITime(service.clock.now.addingTimeInterval(600)))
        }
    }

    @Test("All other purposes need a session", arguments: ["reauthenticate", "delete"])
    func otherPurposes(purpose: String) async throws {
        try await withService { client, service in
            let json = ChallengeRequest(purpose: ChallengePurpose(rawValue: purpose))
            try await client.post("/v1/challenges", json: json).expectError(.accessTokenMissing, 401)
            let token = try await service.signInNatively(client).session.accessToken
            let answer = try await client.post("/v1/challenges", json: json, token: token)
            #expect(try answer.decode(ChallengeAnswer.self).nonce.hasPrefix("c1."))
        }
    }

    @Test("An unknown purpose is refused, with or without a session", arguments: ["unlink", "fly", ""])
    func unknown(purpose: String) async throws {
        try await withService { client, service in
            let json = ChallengeRequest(purpose: ChallengePurpose(rawValue: purpose))
            try await client.post("/v1/challenges", json: json).expectError(.invalidRequest, 400)
            let token = try await service.signInNatively(client).session.accessToken
            try await client.post("/v1/challenges", json: json, token: token).expectError(.invalidRequest, 400)
        }
    }

    @Test("A bad token is refused even if no token is needed")
    func badToken() async throws {
        try await withService { client, _ in
            try await client.post("/v1/challenges", json: "{}", token: "x").expectError(.accessTokenInvalid, 401)
        }
    }
}
