public import OpenAuthenticationServices

/// What happens instead of a sign-in while a unit test runs: no account service, no browser, no waiting.
///
/// ```swift
/// @MainActor @Test func remembersWhoSignedIn() async {
///     let script = AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "001999.f2a7")))
///     await withAuthorizationScript(script) {
///         let model = LoginModel()
///         model.signIn()                       // makes an ASAuthorizationController and performs its request
///         await script.allAnswered()           // its delegate has been called
///         #expect(model.user == "001999.f2a7")
///     }
///     #expect(script.requests.first?.requestedScopes == [.fullName, .email])
/// }
/// ```
public final class AuthorizationScript: Sendable {
    let content: Watched<Content>

    /// - Parameters:
    ///   - answers: What each asking of the person is answered with, in order; the last one again and again. Without
    ///     any, asking fails with `notHandled`.
    ///   - existing: What is found without asking.
    ///   - states: How users stand with the app; others are `notFound`.
    public init(
        _ answers: Answer..., existing: Existing = .none,
        states: [String: ASAuthorizationAppleIDProvider.CredentialState] = [:]
    ) {
        content = Watched(Content(answers: answers, existing: existing, states: states))
    }

    /// Takes the place of the answers not yet given.
    public func answer(with answers: Answer...) {
        content.update { $0.answers = answers }
    }

    /// What is found without asking, from now on.
    public var existing: Existing {
        get { content.value.existing }
        set { content.update { $0.existing = newValue } }
    }

    /// What controllers have asked so far, oldest first. A performing that ends before anybody is asked, as one without
    /// a request does, is not in it.
    public var requests: [Request] { content.value.requests }

    /// How often a controller's delegate has been called, or would have been.
    public var answeredCount: Int { content.value.ended }

    /// Returns when this many requests have been seen, with them; at once when there are more.
    public func requests(atLeast count: Int) async -> [Request] {
        await content.wait { $0.requests.count >= count }
        return requests
    }

    /// Returns when every controller that has performed has called its delegate.
    public func allAnswered() async {
        await content.wait { $0.ended == $0.begun }
    }

    /// What the process's controllers get where no ``withAuthorizationScript(_:operation:)`` is around them: for code
    /// that performs in a task or on a queue of its own. Tests that use it must not run beside each other.
    public func install() {
        CurrentPerformer.install(ScriptedPerformer(script: self))
    }

    /// Ends ``install()``, of any script.
    public static func uninstall() {
        CurrentPerformer.install(nil)
    }

    struct Content: Sendable {
        var answers: [Answer]
        var existing: Existing
        var states: [String: ASAuthorizationAppleIDProvider.CredentialState]
        var stateError: (any Error)?
        var requests: [Request] = []
        var begun = 0
        var ended = 0
    }
}
