import AccountAPI
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Fifty at once", .eachEngine)
struct FiftyAtOnceTests {
    /// Returns the answers to fifty clients that ask at the same moment.
    private func answers(
        _ ask: @escaping @Sendable (Int) async throws -> TestResponse
    ) async throws -> [TestResponse] {
        try await withThrowingTaskGroup { group in
            for index in 0..<50 { group.addTask { try await ask(index) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// One is let in, and the others are told why not.
    private func expectOne(
        _ answers: [TestResponse], else codes: Set<ErrorCode>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answers.count { $0.status == .ok } == 1, sourceLocation: sourceLocation)
        let refused = try Set(answers.filter { $0.status != .ok }.map { try $0.decode(ErrorEnvelope.self).error.code })
        #expect(refused.isSubset(of: codes), "\(refused)", sourceLocation: sourceLocation)
    }

    @Test("One identity token signs in once")
    func token() async throws {
        try await withService { client, service in
            var request = try await service.nativeCredential()
            request.authorizationCode = nil
            let order = request
            try expectOne(
                try await answers { _ in try await client.post("/v1/sign-in/apple", json: order) },
                else: [.tokenAlreadyUsed, .nonceAlreadyUsed])
        }
    }

    @Test("One authorization code signs in once", arguments: [false, true])
    func code(isAlone: Bool) async throws {
        try await withService { client, service in
            var request = try await service.nativeCredential()
            if isAlone {
                let fields = try await service.apple.authorize([
                    "person": "johnny", "clientID": TestService.app.rawValue, "native": true,
                ])
                request = NativeSignInRequest(
                    identityToken: nil, authorizationCode: fields["code"], nonce: nil,
                    clientID: TestService.app.rawValue)
            }
            let order = request
            try expectOne(
                try await answers { _ in try await client.post("/v1/sign-in/apple", json: order) },
                else: [.codeAlreadyUsed, .tokenAlreadyUsed, .nonceAlreadyUsed, .grantRejected, .rateLimited])
        }
    }

    @Test("One nonce is accepted once, even if fifty tokens have it", arguments: [false, true])
    func nonce(isChallenge: Bool) async throws {
        try await withService { client, service in
            let nonce =
                isChallenge
                ? try await client.post("/v1/challenges", json: "{}").decode(ChallengeAnswer.self).nonce
                : UUID().uuidString
            var requests: [NativeSignInRequest] = []
            for _ in 0..<50 {
                var request = try await service.nativeCredential(nonce: nonce)
                request.authorizationCode = nil
                requests.append(request)
                // Else Apple would make the same token twice.
                service.clock.advance(by: .seconds(1))
            }
            let orders = requests
            try expectOne(
                try await answers { try await client.post("/v1/sign-in/apple", json: orders[$0]) },
                else: isChallenge ? [.challengeAlreadyUsed] : [.nonceAlreadyUsed])
        }
    }

    @Test("One handle gives its credential once")
    func handle() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let handle = try #require(try await app.comeBack(try await app.begin())["handle"])
            let given = try await answers { _ in try await app.redeem(handle: handle) }
            try expectOne(given, else: [.handleInvalid])
        }
    }

    @Test("One refresh token rotates once: every answer has the same successor")
    func refresh() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let answers = try await answers { _ in
                try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken))
            }
            #expect(answers.allSatisfy { $0.status == .ok })
            let successors = try answers.map { try $0.decode(RefreshAnswer.self).session.refreshToken }
            #expect(Set(successors).count == 1 && successors.first != session.refreshToken)
            // Within the grace a late one gets it too, and the session lives.
            service.clock.advance(by: .seconds(29))
            let late = try await client.post(
                "/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken))
            #expect(try late.decode(RefreshAnswer.self).session.refreshToken == successors.first)
            let next = try await client.post(
                "/v1/session/refresh", json: RefreshRequest(refreshToken: try #require(successors.first)))
            #expect(next.status == .ok)
        }
    }

    @Test("One deletion is done once, with one handle")
    func deletion() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let answers = try await answers { _ in
                try await client.send(.delete, "/v1/account", [.authorization: "Bearer \(token)"])
            }
            #expect(answers.count { $0.status == .accepted } == 1)
            for answer in answers where answer.status != .accepted { try answer.expectError(.sessionEnded, 401) }
        }
    }

    @Test("One challenge is accepted as a proof once")
    func reauthentication() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let challenge = try await client.post(
                "/v1/challenges", json: ChallengeRequest(purpose: .reauthenticate), token: token)
            let nonce = try challenge.decode(ChallengeAnswer.self).nonce
            var credential = try await service.nativeCredential(nonce: nonce)
            credential.authorizationCode = nil
            let order = ReauthenticationRequest(
                identityToken: credential.identityToken, authorizationCode: nil, nonce: nonce)
            try expectOne(
                try await answers { _ in
                    try await client.post("/v1/reauthenticate/apple", json: order, token: token)
                }, else: [.tokenAlreadyUsed, .challengeAlreadyUsed])
        }
    }
}
