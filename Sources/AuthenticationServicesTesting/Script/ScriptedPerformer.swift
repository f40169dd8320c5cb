import OpenAuthenticationServices

/// Answers requests from a script.
struct ScriptedPerformer: AuthorizationPerformer {
    let script: AuthorizationScript

    func authorize(_ values: AppleIDRequestValues) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
        let request = AuthorizationScript.Request(asking: values)
        let answer = script.content.update { content in
            content.requests.append(request)
            return content.answers.count > 1 ? content.answers.removeFirst() : content.answers.first
        }
        guard let answer else {
            throw ASAuthorizationError(.notHandled, reason: .notConfigured, explanation: "The script has no answer.")
        }
        var credential = try await answer.credential(request).values
        credential.state = credential.state ?? values.state
        return credential
    }

    func existingCredential(
        _ requests: ExistingCredentialRequests
    ) async throws(ASAuthorizationError) -> ExistingCredential {
        let existing = script.content.update { content in
            content.requests.append(AuthorizationScript.Request(looking: requests))
            return content.existing
        }
        switch existing {
        case .appleID(let credential) where requests.appleID != nil: return .appleID(credential.values)
        case .password(let credential) where requests.includesPassword:
            return .password(user: credential.user, password: credential.password)
        case .failure(let error): throw error
        case .none, .appleID, .password: throw ASAuthorizationError(.canceled, reason: .noStoredCredential)
        }
    }

    func replacePassword(of user: String) async throws(ASAuthorizationError) {
        let replacing = script.content.update { content in
            content.replacedUsers.append(user)
            return content.passwordReplacement
        }
        switch replacing {
        case .success: break
        case .failure(let error): throw error
        case nil:
            throw ASAuthorizationError(
                .notHandled, reason: .notConfigured, explanation: "The script has no answer to an upgrade.")
        }
    }

    func endSession() async {
        script.content.update { $0.existing = .none }
    }

    func credentialState(
        forUserID userID: String
    ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?) {
        let content = script.content.value
        return (content.states[userID] ?? .notFound, content.stateError)
    }

    func performingBegan() {
        script.content.update { $0.begun += 1 }
    }

    func performingEnded() {
        script.content.update { $0.ended += 1 }
    }
}
