import Synchronization

/// One performing of a controller's requests. The first end counts, be it the performer's answer or a cancel, and keeps
/// the controller alive until its delegate has heard of it.
final class AuthorizationRun: Sendable {
    private let progress: Mutex<Progress>

    private let performer: (any AuthorizationPerformer)?

    init(of controller: ASAuthorizationController, by performer: (any AuthorizationPerformer)?) {
        self.performer = performer
        progress = Mutex(Progress(controller: RunningController(controller)))
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
