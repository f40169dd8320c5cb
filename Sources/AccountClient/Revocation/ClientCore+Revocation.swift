import AccountAPI

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    func revokeTokens(_ authorize: Authorize?) async throws -> ManualRemoval? {
        do {
            return try await revoke(AppleRevocationRequest())
        } catch let error as AccountClientError where error.code == .refused(.requiresRecentLogin) {
            guard let authorize else { throw error }
            _ = try await reauthenticate(authorize)
            return try await revoke(AppleRevocationRequest())
        }
    }

    func revokeToken(_ code: String, nonce: String?, clientID: String?) async throws -> ManualRemoval? {
        try await revoke(AppleRevocationRequest(authorizationCode: code, nonce: nonce, clientID: clientID))
    }

    private func revoke(_ request: AppleRevocationRequest) async throws -> ManualRemoval? {
        let answer = try await call(doing: "revoking Apple's token") { token throws(ServiceError) in
            try await self.repeating(attempts: 3) { () async throws(ServiceError) in
                try await self.connection.send(
                    "POST", "/v1/apple/revoke", body: request, accessToken: token, as: AppleRevocationAnswer.self)
            }
        }
        return ManualRemoval(answer.manualRemoval)
    }
}
