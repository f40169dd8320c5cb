import AccountAPI
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

extension TestService {
    /// A challenge of the server's for the session of this token.
    func challenge(_ client: TestClient, for purpose: String, token: String) async throws -> String {
        let answer = try await client.post("/v1/challenges", json: #"{"purpose": "\#(purpose)"}"#, token: token)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(ChallengeAnswer.self).nonce
    }

    /// Makes the request by which an app renews its session.
    /// - Parameter nonce: nil for a new challenge made for it.
    func reauthentication(
        _ client: TestClient, token: String, person: String = "johnny", nonce: String? = nil,
        purpose: String = "reauthenticate"
    )
        async throws -> ReauthenticationRequest
    {
        let nonce = if let nonce { nonce } else { try await challenge(client, for: purpose, token: token) }
        let fields = try await apple.authorize([
            "person": person, "clientID": Self.app.rawValue, "native": true, "nonce": hash(nonce),
        ])
        return ReauthenticationRequest(
            identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce)
    }

    /// Renews an app's session.
    /// - Returns: the new access token.
    func reauthenticate(_ client: TestClient, token: String) async throws -> String {
        let body = try await reauthentication(client, token: token)
        let answer = try await client.post("/v1/reauthenticate/apple", json: body, token: token)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(ReauthenticationAnswer.self).accessToken
    }

    /// A person at Apple, and the way back, after a form of this site led the browser there.
    func comeBack(
        _ client: TestClient, _ beginning: TestResponse, person: String = "johnny", decision: String = "continue"
    ) async throws -> TestResponse {
        let location = try #require(beginning.headers[.location], "\(beginning.text)")
        let cookie = try #require(beginning.cookie("__Host-siwa-browser"))
        let form = try await decide(at: location, decision, person: person)
        return try await client.post(
            "/sign-in/apple/callback", form: form, cookies: [cookie], site: "cross-site", origin: Self.emulatorURL)
    }
}
