import AccountAPI
import Foundation

import enum OpenAuthenticationServices.RandomText
import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    func reauthenticate(_ authorize: @escaping Authorize) async throws -> Date {
        try await runAuthorization { core, _ in
            let request = try await core.proof(for: .reauthenticate, by: authorize)
            return try await core.renew(with: request)
        }
    }

    func reauthenticate(with credential: AppleCredential) async throws -> Date {
        let request = try Self.proof(credential)
        return try await runAuthorization { core, _ in try await core.renew(with: request) }
    }

    func challenge(_ purpose: ChallengePurpose) async throws -> String {
        let answer = try await call(doing: "asking for a nonce") { token throws(ServiceError) in
            try await self.connection.send(
                "POST", "/v1/challenges", body: ChallengeRequest(purpose: purpose), accessToken: token,
                as: ChallengeAnswer.self)
        }
        return answer.nonce
    }

    /// Asks the person, for a nonce that was made for this purpose.
    func proof(for purpose: ChallengePurpose, by authorize: Authorize) async throws -> ReauthenticationRequest {
        let nonce = Nonce(try await challenge(purpose))
        let state = RandomText.make(byteCount: 32)
        var authorized = try await authorize(nonce.hash, state)
        guard authorized.state == state else { throw Self.otherRequest }
        authorized.credential.nonce = nonce.text
        return try Self.proof(authorized.credential)
    }

    static func proof(_ credential: AppleCredential) throws(AccountClientError) -> ReauthenticationRequest {
        try check(credential)
        guard let nonce = credential.nonce else {
            throw AccountClientError(
                .notConfigured, "a credential without a nonce proves nothing here",
                hint: "Give the request the hash of a nonce from reauthenticationNonce().")
        }
        return ReauthenticationRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce,
            clientID: credential.clientID)
    }

    private func renew(with request: ReauthenticationRequest) async throws -> Date {
        _ = try await loaded()
        let era = self.era
        let answer = try await call(doing: "proving who is there") { token throws(ServiceError) in
            try await self.repeating(attempts: 3) { () async throws(ServiceError) in
                try await self.connection.send(
                    "POST", "/v1/reauthenticate/apple", body: request, accessToken: token,
                    as: ReauthenticationAnswer.self)
            }
        }
        if era == self.era, record?.session != nil {
            // Says to other services too that the person was there.
            access = AccessToken(token: answer.accessToken, expiresAt: environment.now() + .seconds(answer.expiresIn))
        }
        return answer.authenticatedAt.date
    }
}
