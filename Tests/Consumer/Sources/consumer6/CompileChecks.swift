import AuthenticationServices

// Sign-in code as it is in the wild, in the Swift 6 language mode.

/// A credential in an enumeration, as wrappers have it.
enum Outcome {
    case signedIn(any ASAuthorizationCredential)
    case failed(any Error)
}

/// A controller made by a function that a test replaces.
struct Factory {
    var makeController: ([ASAuthorizationRequest]) -> ASAuthorizationController = ASAuthorizationController.init
}

/// A controller that a unit test puts in the real one's place.
final class ControllerSpy: ASAuthorizationController {
    private(set) var performed = 0

    override func performRequests() {
        performed += 1
    }
}

/// A provider that a unit test puts in the real one's place.
final class ProviderSpy: ASAuthorizationAppleIDProvider, @unchecked Sendable {
    override func getCredentialState(
        forUserID userID: String,
        completion: @escaping @Sendable (ASAuthorizationAppleIDProvider.CredentialState, (any Error)?) -> Void
    ) {
        completion(.authorized, nil)
    }
}

final class AsyncProviderSpy: ASAuthorizationAppleIDProvider, @unchecked Sendable {
    override func credentialState(
        forUserID userID: String
    ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
        .transferred
    }
}

/// A delegate that cares for one of the two methods.
final class HappyDelegate: NSObject, ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        print(describe(.signedIn(authorization.credential)))
    }
}

func describe(_ outcome: Outcome) -> String {
    switch outcome {
    case .failed(let error): return error.localizedDescription
    case .signedIn(let credential):
        switch credential {
        case let appleID as ASAuthorizationAppleIDCredential: return "Apple ID \(appleID.user)"
        case let password as ASPasswordCredential: return "password of \(password.user)"
        default: return "something else"
        }
    }
}

func bothRequests() -> String {
    let requests = [
        ASAuthorizationAppleIDProvider().createRequest(),
        ASAuthorizationPasswordProvider().createRequest(),
    ]
    return "\(type(of: requests)) of \(Factory().makeController(requests).authorizationRequests.count)"
}

func appendedScopes() -> String {
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = [.fullName]
    request.requestedScopes?.append(.email)
    return (request.requestedScopes ?? []).map(\.rawValue).joined(separator: " ")
}

func spied() -> Int {
    let spy = ControllerSpy(authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
    spy.delegate = nil
    let controller: ASAuthorizationController = spy
    controller.performRequests()
    return spy.performed
}

func spiedStates() async -> String {
    var states: [String] = []
    for provider in [ProviderSpy(), AsyncProviderSpy()] {
        do {
            states.append("\(try await provider.credentialState(forUserID: "johnny"))")
        } catch {
            states.append("\(error)")
        }
    }
    return states.joined(separator: " ")
}

func caught() -> String {
    do {
        throw ASAuthorizationError(.canceled)
    } catch ASAuthorizationError.canceled {
        return
            "canceled, \(ASAuthorizationError.canceled.rawValue), \(ASAuthorizationError.Code(rawValue: 1001) == .canceled)"
    } catch {
        return "not caught: \(error)"
    }
}
