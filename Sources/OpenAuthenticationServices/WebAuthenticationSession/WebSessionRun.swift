import Foundation
import Synchronization

/// What a web session does from its start to its one end.
final class WebSessionRun: Sendable {
    private struct State {
        var isStarted = false
        var handler: Handler?
        var work: Task<Void, Never>?
    }

    /// Sendable: it is called once, on the main actor, and nothing else touches it on the way.
    private struct Handler: @unchecked Sendable {
        let call: ASWebAuthenticationSession.CompletionHandler
    }

    private let state: Mutex<State>

    init(_ handler: @escaping ASWebAuthenticationSession.CompletionHandler) {
        state = Mutex(State(handler: Handler(call: handler)))
    }

    var work: Task<Void, Never>? { state.withLock { $0.work } }

    var isStarted: Bool { state.withLock { $0.isStarted } }

    /// - Returns: false when it was started before, or cancelled.
    func start() -> Bool {
        state.withLock { state in
            guard !state.isStarted, state.handler != nil else { return false }
            state.isStarted = true
            return true
        }
    }

    /// - Returns: false when nothing can listen there; the handler is told so.
    func listen(
        for target: LoopbackCallback, opening url: URL, in browser: BrowserPresenter, timeout: Duration
    ) -> Bool {
        let server: LoopbackServer
        do {
            server = try LoopbackServer(port: target.port) { target.accepts($0) ? .done : nil }
            guard server.authorities.contains(target.authority) else {
                server.stopSoon()
                throw POSIXError(.EADDRINUSE)
            }
        } catch {
            end(
                .failure(
                    ASWebAuthenticationSessionError(
                        .presentationContextInvalid, explanation: "Nothing can listen at \(target.authority).",
                        underlying: error)))
            return false
        }
        let work = Task {
            let opening = Task {
                do {
                    try await browser.open(url)
                } catch {
                    server.fail(NoWayThroughBrowser(cause: error))
                }
            }
            let alarm = Task {
                try await Task.sleep(for: timeout)
                end(.failure(ASWebAuthenticationSessionError(.canceledLogin, explanation: "Nobody came back in time.")))
            }
            defer { alarm.cancel() }
            do {
                let request = try await server.request()
                guard let url = target.url(of: request) else { throw BrowserError.notAWebPage }
                end(.success(url))
            } catch {
                opening.cancel()
                await server.stop()
                let cause = (error as? NoWayThroughBrowser)?.cause ?? error
                end(
                    .failure(
                        ASWebAuthenticationSessionError(
                            .presentationContextInvalid, explanation: "No browser could be opened.", underlying: cause))
                )
            }
        }
        let isOver = state.withLock { state in
            state.work = work
            return state.handler == nil
        }
        if isOver { work.cancel() }
        return true
    }

    /// Tells the handler, once.
    func end(_ result: Result<URL, ASWebAuthenticationSessionError>) {
        let (handler, work) = state.withLock { state in
            defer { state.handler = nil }
            return (state.handler, state.work)
        }
        guard let handler else { return }
        if case .failure = result { work?.cancel() }
        Task { @MainActor in
            switch result {
            case .success(let url): handler.call(url, nil)
            case .failure(let error): handler.call(nil, error)
            }
        }
    }
}
