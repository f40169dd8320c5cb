/// A hook in the process that embeds the service.
public struct InProcessHook: AccountHook {
    public let name: String
    private let body: @Sendable (AccountNotice) async throws -> Void

    /// - Parameters:
    ///   - name: see ``AccountHook/name``; not `webhook`, which `siwa serve` uses.
    ///   - body: what it throws is not told to anybody, because it may be personal; the notice comes again.
    public init(name: String, _ body: @escaping @Sendable (AccountNotice) async throws -> Void) {
        self.name = name
        self.body = body
    }

    public func receive(_ notice: AccountNotice) async -> HookAnswer {
        do {
            try await body(notice)
            return .taken
        } catch {
            return .failed(code: "hook_failed")
        }
    }
}
