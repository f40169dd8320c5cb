import AuthenticationServices
import Stranger

@main
struct Consumer {
    @MainActor
    static func main() async {
        print("requests: \(bothRequests())")
        print("scopes: \(appendedScopes())")
        print("spy: \(spied())")
        print("provider spies: \(await spiedStates())")
        print("caught: \(caught())")
        print("described: \(describe(.signedIn(ASPasswordCredential(user: "johnny", password: "x"))))")
        print("stranger sees AuthenticationServices: \(Stranger.seesAuthenticationServices)")
        #if canImport(AuthenticationServices)
            print("app sees AuthenticationServices: true")
        #endif

        let delegate = SadDelegate()
        await withCheckedContinuation { continuation in
            delegate.finished = { continuation.resume() }
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
        }

        let state = try? await ASAuthorizationAppleIDProvider().credentialState(forUserID: "")
        print("state: \(state ?? .authorized)")
    }
}
