public import Foundation
import Synchronization

/// Performs requests and tells a delegate how they ended.
///
/// Each performing ends in exactly one call of the delegate, on the main actor, which therefore has to run: a program
/// without an async `main` needs `RunLoop.main.run()` or `dispatchMain()`. The controller lives until then on its own;
/// the delegate does not, and an answer for a delegate that is gone is dropped.
open class ASAuthorizationController: NSObject {
    private let given: [ASAuthorizationRequest]
    private let kept = Mutex(Kept())

    /// - Parameter authorizationRequests: At least one. Of several of one kind the first is performed.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        given = authorizationRequests
    }

    open var authorizationRequests: [ASAuthorizationRequest] { given }

    /// Held weakly.
    open var delegate: (any ASAuthorizationControllerDelegate)? {
        get { kept.withLock { $0 }.delegate }
        set {
            let new = Kept(delegate: newValue)
            kept.withLock { $0.delegate = new.delegate }
        }
    }

    /// Held weakly. Nobody is asked for a window when there is none: that is no error here.
    open var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)? {
        get { kept.withLock { $0 }.presentationContextProvider }
        set {
            let new = Kept(presentationContextProvider: newValue)
            kept.withLock { $0.presentationContextProvider = new.presentationContextProvider }
        }
    }

    /// Asks the person; with a password request among the requests, only looks for what needs no asking.
    ///
    /// What is changed in the requests afterwards is not seen. A performing that still runs is cancelled.
    open func performRequests() {
        perform(options: [])
    }

    /// As ``performRequests()``, with options.
    open func performRequests(options: RequestOptions = []) {
        perform(options: options)
    }

    /// Ends what runs with ``ASAuthorizationError/Code/canceled``; does nothing when nothing runs.
    open func cancel() {
        kept.withLock { $0.run }?.end(with: .failure(ASAuthorizationError(.canceled, reason: .cancelledByApp)))
    }

    private func perform(options: RequestOptions) {
        let performer = CurrentPerformer.value
        performer?.performingBegan()
        let run = AuthorizationRun(of: self, by: performer)
        let former = kept.withLock { kept in
            defer { kept.run = run }
            return kept.run
        }
        former?.end(with: .failure(ASAuthorizationError(.canceled, reason: .superseded)))
        run.start(AuthorizationPlan(requests: given, options: options))
    }

    // Sendable: the delegate and the provider belong to the main actor, and are called there alone; on other threads
    // the references are only passed on.
    private struct Kept: @unchecked Sendable {
        weak var delegate: (any ASAuthorizationControllerDelegate)?
        weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
        var run: AuthorizationRun?
    }
}
