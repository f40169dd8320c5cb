import TaskSignals

/// One performing of a controller's requests. The first end counts, be it the performer's answer or a cancel, and keeps
/// the controller alive until its delegate has heard of it.
final class AuthorizationRun: Sendable {
    private let progress: Lock<Progress>

    private let performer: (any AuthorizationPerformer)?

    init(of controller: ASAuthorizationController, by performer: (any AuthorizationPerformer)?) {
        self.performer = performer
        progress = Lock(Progress(controller: RunningController(controller)))
    }

    func start(_ plan: AuthorizationPlan) {
        let task = Task {
            do throws(ASAuthorizationError) {
                end(with: .success(try await plan.authorization(by: performer, beforeAsking: askForAnchor)))
            } catch {
                end(with: .failure(error))
            }
        }
        let isOver = progress.withLock { progress in
            progress.task = task
            return progress.controller == nil
        }
        if isOver { task.cancel() }
    }

    /// Only the first call does anything: it takes the controller out.
    func end(with result: Result<ASAuthorization, ASAuthorizationError>) {
        let (controller, task) = progress.withLock { progress in
            defer { progress = Progress() }
            return (progress.controller, progress.task)
        }
        guard let controller else { return }
        task?.cancel()
        Task { @MainActor in
            controller.tell(result)
            performer?.performingEnded()
        }
    }

    @MainActor private func askForAnchor() {
        progress.withLock { $0.controller }?.askForAnchor()
    }

    private struct Progress {
        /// Nil once the run is over.
        var controller: RunningController?
        var task: Task<Void, Never>?
    }
}

/// A controller on its way to the main actor.
///
/// Sendable: a controller keeps everything behind its lock, and this passes it on to the main actor's own protocols
/// alone.
struct RunningController: @unchecked Sendable {
    private let controller: ASAuthorizationController

    init(_ controller: ASAuthorizationController) {
        self.controller = controller
    }

    /// There is no window to use: apps only expect to be asked.
    @MainActor func askForAnchor() {
        _ = controller.presentationContextProvider?.presentationAnchor(for: controller)
    }

    func cancel() {
        controller.cancel()
    }

    @MainActor func tell(_ result: Result<ASAuthorization, ASAuthorizationError>) {
        switch result {
        case .success(let authorization):
            controller.delegate?.authorizationController(
                controller: controller, didCompleteWithAuthorization: authorization)
        case .failure(let error):
            controller.delegate?.authorizationController(controller: controller, didCompleteWithError: error)
        }
    }
}
