import Foundation
import TaskSignals

/// The run of a web session, from its start to its one end.
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

    private let state: Lock<State>

    init(_ handler: @escaping ASWebAuthenticationSession.CompletionHandler) {
        state = Lock(State(handler: Handler(call: handler)))
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
                try await Task.sleep(for: min(timeout, .maximumSleep))
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

/// A callback that a program can receive: an address of this machine, with the port that the app chose.
struct LoopbackCallback: Hashable, Sendable {
    /// The authority as the browser sends it in `Host`.
    let authority: String
    let port: UInt16
    /// nil when any path will do.
    let path: String?

    /// nil for anything but `http://127.0.0.1:PORT` or `http://[::1]:PORT`, with a path or without. The name
    /// `localhost` may mean another machine, and is not taken.
    init?(_ text: String) {
        guard let url = URLComponents(string: text), url.scheme?.lowercased() == "http",
            let host = url.host.map({ $0.trimmingCharacters(in: ["[", "]"]) }), ["127.0.0.1", "::1"].contains(host),
            let port = url.port.flatMap(UInt16.init(exactly:)), port > 0, url.user == nil, url.password == nil,
            url.query == nil, url.fragment == nil
        else { return nil }
        self.port = port
        authority = host == "::1" ? "[::1]:\(port)" : "127.0.0.1:\(port)"
        path = ["", "/"].contains(url.percentEncodedPath) ? nil : url.percentEncodedPath
    }

    /// Returns whether a request is the callback. If no path is set, only a request with a query counts: a browser asks
    /// for icons, too.
    func accepts(_ request: LoopbackRequest) -> Bool {
        guard request.header("host") == authority, path == nil || request.path == path else { return false }
        // A page may load anything from here, but only a navigation comes from the person's own way.
        if let mode = request.header("sec-fetch-mode"), mode != "navigate" { return false }
        return path != nil || !(request.query ?? "").isEmpty
    }

    func matches(_ url: URL) -> Bool {
        guard
            let own = Self(
                "\(url.scheme ?? "")://\(url.host(percentEncoded: true).map(Self.bracketed) ?? ""):\(url.port ?? 0)")
        else { return false }
        return own.authority == authority && (path == nil || path == url.path(percentEncoded: true))
    }

    func url(of request: LoopbackRequest) -> URL? {
        URL(string: "http://\(authority)\(request.path)\(request.query.map { "?\($0)" } ?? "")")
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
