public import Foundation
import TaskSignals

/// Performs requests and tells a delegate how they ended.
///
/// Each performing ends in exactly one call of the delegate, on the main actor, which therefore has to run: a program
/// without an async `main` needs `RunLoop.main.run()` or `dispatchMain()`. The controller lives until then on its own;
/// the delegate does not, and an answer for a delegate that is gone is dropped.
open class ASAuthorizationController: NSObject {
    private let given: [ASAuthorizationRequest]
    private let kept = Lock(Kept())

    /// - Parameter authorizationRequests: At least one. If there are several of one kind, the first is performed. Requests
    ///   for passkeys, security keys and single sign-on are skipped: only Apple's systems perform them.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        given = authorizationRequests
    }

    /// The requests that the controller was made with.
    open var authorizationRequests: [ASAuthorizationRequest] { given }

    /// The delegate that hears how the requests ended. The reference is weak.
    open var delegate: (any ASAuthorizationControllerDelegate)? {
        get { kept.withLock { $0 }.delegate }
        set {
            let new = Kept(delegate: newValue)
            kept.withLock { $0.delegate = new.delegate }
        }
    }

    /// The object that is asked for a window. The reference is weak, and it is no error when there is none.
    open var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)? {
        get { kept.withLock { $0 }.presentationContextProvider }
        set {
            let new = Kept(presentationContextProvider: newValue)
            kept.withLock { $0.presentationContextProvider = new.presentationContextProvider }
        }
    }

    /// Asks the person; with a password request among the requests, only looks for what needs no asking.
    ///
    /// Later changes to the requests are not seen. A performing that still runs is cancelled.
    open func performRequests() {
        perform(AuthorizationPlan(requests: given, options: []))
    }

    /// Performs the requests as ``performRequests()`` does, with options.
    open func performRequests(options: RequestOptions = []) {
        perform(AuthorizationPlan(requests: given, options: options))
    }

    /// Ends with ``ASAuthorizationError/Code/notHandled``: there is no field to fill here.
    open func performAutoFillAssistedRequests() {
        perform(AuthorizationPlan(autoFill: given))
    }

    /// Ends what runs with ``ASAuthorizationError/Code/canceled``; does nothing when nothing runs.
    open func cancel() {
        kept.withLock { $0.run }?.end(with: .failure(ASAuthorizationError(.canceled, reason: .cancelledByApp)))
    }

    private func perform(_ plan: AuthorizationPlan) {
        let performer = CurrentPerformer.value
        performer?.performingBegan()
        let run = AuthorizationRun(of: self, by: performer)
        let former = kept.withLock { kept in
            defer { kept.run = run }
            return kept.run
        }
        former?.end(with: .failure(ASAuthorizationError(.canceled, reason: .superseded)))
        run.start(plan)
    }

    // Sendable: the delegate and the provider belong to the main actor, and are called there alone; on other threads
    // the references are only passed on.
    private struct Kept: @unchecked Sendable {
        weak var delegate: (any ASAuthorizationControllerDelegate)?
        weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
        var run: AuthorizationRun?
    }
}

extension ASAuthorizationController {
    /// Options for performing requests.
    public struct RequestOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Makes options of bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Answers at once with a credential that needs no asking, or with
        /// ``ASAuthorizationError/Code/canceled``: no browser is opened.
        public static let preferImmediatelyAvailableCredentials = Self(rawValue: 1 << 0)
    }
}

/// Hears how a controller's requests ended: one call of either method for each performing.
///
/// Both have a default that does nothing, since Apple's are optional. The compiler therefore says nothing about a
/// misspelt method, which is then never called.
@MainActor
public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// The person has given an authorization.
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)

    /// - Parameter error: An ``ASAuthorizationError``.
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

extension ASAuthorizationControllerDelegate {
    /// Does nothing: Apple's method is optional.
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Does nothing: Apple's method is optional.
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}

/// Says over which window a person is asked.
@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// Called only when the person will be asked; what it returns is not used here.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// Stands for the window over which a person is asked. There is none here: the value is asked for and not used.
open class ASPresentationAnchor: NSObject {
    /// Makes a window that stands for none.
    public override init() {}
}
