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

        let delegate = ViewController()
        await withCheckedContinuation { continuation in
            delegate.finished = { continuation.resume() }
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
        }

        var page: LoginPage?
        for (name, use) in loginPageUses {
            let outcome = await withCheckedContinuation { continuation in
                page = LoginPage(anchor: ASPresentationAnchor()) { continuation.resume(returning: $0) }
                if let page { use(page) }
            }
            print("\(name): \(outcome)")
        }
        print("passkeys in SwiftUI: \(await signIn(with: AuthorizationController(), challenge: Data([1])))")
        print("password managers: \(await reportChanges(userID: Data([1]), newName: "johnny"))")
        print("settings: \(await openSettings())")

        let state = try? await ASAuthorizationAppleIDProvider().credentialState(forUserID: "")
        print("state: \(state ?? .authorized)")
    }
}
