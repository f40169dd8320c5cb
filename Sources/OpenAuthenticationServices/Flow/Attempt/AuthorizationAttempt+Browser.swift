import AccountAPI
import AccountConnection
import Foundation

extension AuthorizationAttempt {
    /// Runs the flow in the browser of this machine, which comes back by a loopback redirect (RFC 8252, section 7.3).
    func throughBrowser() async throws -> AuthorizationCredentialBody {
        let listener: RedirectListener
        do {
            listener = try RedirectListener()
        } catch {
            throw NoWayThroughBrowser(cause: error)
        }
        let result: Result<AuthorizationCredentialBody, any Error>
        do {
            result = .success(try await throughBrowser(backTo: listener))
        } catch {
            result = .failure(error)
        }
        await listener.stop()
        return try result.get()
    }

    private func throughBrowser(backTo listener: RedirectListener) async throws -> AuthorizationCredentialBody {
        let proof = ProofKey()
        let begun: RedirectAuthorizationAnswer = try await connection.send(
            "POST", "/v1/authorizations", body: beginning(redirectURI: listener.redirectURI, proof: proof))
        guard let page = URL(string: begun.url), ["http", "https"].contains(page.scheme?.lowercased() ?? ""),
            !begun.id.isEmpty
        else {
            throw ASAuthorizationError(
                .invalidResponse, reason: .unreadableAnswer,
                explanation: "The account service's answer names no page to open.")
        }
        listener.expect(id: begun.id)
        // Beside the wait: a presenter may return as late as it likes.
        let opening = Task { [browser = configuration.browser] in
            do {
                try await browser.open(page)
            } catch {
                listener.fail(NoWayThroughBrowser(cause: error))
            }
        }
        let handle: String
        do {
            switch try await listener.redirect() {
            case .handle(let value): handle = value
            case .error(let code): throw RedirectRefusal(code: code)
            }
        } catch let refusal as RedirectRefusal {
            throw refusal
        } catch {
            opening.cancel()
            await listener.stop()
            await giveUp(CancelAuthorizationRequest(id: begun.id, codeVerifier: proof.verifier))
            throw error
        }
        return try await redeem(RedeemAuthorizationRequest(handle: handle, codeVerifier: proof.verifier))
    }

    /// Redeems a handle, up to three times: otherwise the person would have to sign in again because of a short trouble. A
    /// handle works once, so a request whose answer may have been lost isn't repeated.
    private func redeem(_ request: RedeemAuthorizationRequest) async throws -> AuthorizationCredentialBody {
        let retries = Retries(attempts: 3, sleep: time.sleep, randomByte: { .random(in: .min ... .max) })
        return try await retries.run(unless: \.mayHaveLostAnswer) { () async throws(ServiceError) in
            try await connection.send(
                "POST", "/v1/authorizations/redeem", body: request, as: AuthorizationCredentialBody.self)
        }
    }
}

/// An error with which the browser came back, in place of a handle.
struct RedirectRefusal: Error {
    var code: ErrorCode
}
