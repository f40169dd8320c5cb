public import Foundation
import TaskSignals

/// Performs requests to change the way in which a person signs in, and tells a delegate how each ended.
///
/// Each performing ends in exactly one call of the delegate, on the main actor. The controller lives until then on its own.
open class ASAccountAuthenticationModificationController: NSObject {
    private let kept = Lock(Kept())

    /// Makes a controller.
    public override init() {}

    /// The delegate that hears how a request ended. The reference is weak.
    open var delegate: (any ASAccountAuthenticationModificationControllerDelegate)? {
        get { kept.withLock { $0 }.delegate }
        set {
            let new = Kept(delegate: newValue)
            kept.withLock { $0.delegate = new.delegate }
        }
    }

    /// The object that is asked for a window. The reference is weak, and it is no error when there is none.
    open var presentationContextProvider:
        (any ASAccountAuthenticationModificationControllerPresentationContextProviding)?
    {
        get { kept.withLock { $0 }.presentationContextProvider }
        set {
            let new = Kept(presentationContextProvider: newValue)
            kept.withLock { $0.presentationContextProvider = new.presentationContextProvider }
        }
    }

    /// Performs a request. A controller performs one at a time: a second one fails at once.
    ///
    /// A request for a strong password fails with ``ASAuthorizationError/Code/notHandled``.
    open func perform(_ request: ASAccountAuthenticationModificationRequest) {
        let performer = CurrentPerformer.value
        performer?.performingBegan()
        let isFirst = kept.withLock { kept in
            defer { kept.isPerforming = true }
            return !kept.isPerforming
        }
        let modification = Modification(controller: self, request: request, performer: performer)
        Task {
            let result = await modification.result(isFirst: isFirst)
            if isFirst { modification.end() }
            await modification.tell(result)
        }
    }

    /// Another request may be performed from now on.
    fileprivate func end() {
        kept.withLock { $0.isPerforming = false }
    }

    // Sendable: the delegate and the provider belong to the main actor, and are called there alone; on other threads
    // the references are only passed on.
    private struct Kept: @unchecked Sendable {
        weak var delegate: (any ASAccountAuthenticationModificationControllerDelegate)?
        weak var presentationContextProvider:
            (any ASAccountAuthenticationModificationControllerPresentationContextProviding)?
        var isPerforming = false
    }
}

/// One performing of a request, and the controller on its way to the main actor.
///
/// Sendable: a controller keeps everything behind its lock, and this passes it on to the main actor's own protocols
/// alone.
private struct Modification: @unchecked Sendable {
    let controller: ASAccountAuthenticationModificationController
    let request: ASAccountAuthenticationModificationRequest
    let performer: (any AuthorizationPerformer)?

    func result(isFirst: Bool) async -> Result<Void, ASAuthorizationError> {
        do throws(ASAuthorizationError) {
            guard isFirst else { throw ASAuthorizationError(.failed, reason: .alreadyPerforming) }
            guard request is ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest else {
                throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
            }
            guard let performer else { throw ASAuthorizationError(.notHandled, reason: .notConfigured) }
            await askForAnchor()
            return .success(try await performer.replacePassword(of: request.user))
        } catch {
            return .failure(error)
        }
    }

    func end() {
        controller.end()
    }

    /// There is no window to use: apps only expect to be asked.
    @MainActor private func askForAnchor() {
        _ = controller.presentationContextProvider?.presentationAnchor(for: controller)
    }

    @MainActor func tell(_ result: Result<Void, ASAuthorizationError>) {
        switch result {
        case .success:
            controller.delegate?.accountAuthenticationModificationController(
                controller, didSuccessfullyComplete: request, userInfo: nil)
        case .failure(let error):
            controller.delegate?.accountAuthenticationModificationController(
                controller, didFail: request, error: error)
        }
        performer?.performingEnded()
    }
}

/// Hears how a controller's requests ended: one call of either method for each performing.
///
/// Both have a default that does nothing, since Apple's are optional. The compiler therefore says nothing about a
/// misspelt method, which is then never called.
@MainActor
public protocol ASAccountAuthenticationModificationControllerDelegate: NSObjectProtocol {
    /// The account is changed.
    /// - Parameter userInfo: Values of the app's extension on Apple's systems. Always nil here.
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest, userInfo: [AnyHashable: Any]?)

    /// The account is as it was, unless the account service's answer was lost.
    /// - Parameter error: An ``ASAuthorizationError``.
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest, error: any Error)
}

extension ASAccountAuthenticationModificationControllerDelegate {
    /// Does nothing: Apple's method is optional.
    public func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest, userInfo: [AnyHashable: Any]?
    ) {}

    /// Does nothing: Apple's method is optional.
    public func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest, error: any Error
    ) {}
}

/// Names the window over which the person is asked. There is none here: the value is asked for and not used.
@MainActor
public protocol ASAccountAuthenticationModificationControllerPresentationContextProviding: NSObjectProtocol {
    /// The window over which the person is asked.
    func presentationAnchor(for controller: ASAccountAuthenticationModificationController) -> ASPresentationAnchor
}
