import Foundation
import NIOPosix
import StrictJSON
import TaskSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// One JSON file, replaced as a whole. Blocking work runs on other threads, so that requests are answered meanwhile.
final class StateFile: Sendable {
    let path: String
    /// The lock that a writer holds, so that a slower writer never replaces newer state by older.
    private let writeLock = Lock(())
    private let written = Lock(-1)

    init(path: String) {
        self.path = path
    }

    /// Nil when there is no file yet.
    func load() async throws(EmulatorError) -> SavedState? {
        try await Self.blocking(.unreadableState) { [self] () throws(EmulatorError) in try read() }
    }

    /// Whether the file may not hold this revision yet.
    func isBehind(_ revision: Int) -> Bool { written.withLock { $0 < revision } }

    /// Writes beside the file, flushes, and renames. The new file is its owner's alone from its first byte on.
    ///
    /// - Parameter state: returns the current state. It is called again when the writer before has finished, so all who
    ///   wait for that writer share the next write.
    func write(_ state: @escaping @Sendable () -> EmulatorState) async throws(EmulatorError) {
        let revision = state().revision
        try await Self.blocking(.unwritableState) { [self] () throws(EmulatorError) in
            try writeLock.withLock { (_) throws(EmulatorError) in
                guard isBehind(revision) else { return }
                let newest = state()
                try replace(with: SavedState(newest, signingKeys: newest.signingKeys))
                written.withLock { $0 = newest.revision }
            }
        }
    }

    private func read() throws(EmulatorError) -> SavedState? {
        let state: SavedState
        do {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            let decoder = StrictJSONDecoder(limits: JSONLimits(maximumBytes: SavedState.maximumBytes))
            state = try decoder.decode(SavedState.self, from: bytes)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw EmulatorError(.unreadableState, "the state file cannot be read: \(path)", cause: error)
        }
        guard state.version == SavedState.currentVersion else {
            throw EmulatorError(.unreadableState, "the state file is of version \(state.version): \(path)")
        }
        guard state.hasGoodTimes else {
            throw EmulatorError(
                .unreadableState, "the state file has a time before 1970 or after the year 9999: \(path)")
        }
        return state
    }

    private func replace(with state: SavedState) throws(EmulatorError) {
        let draft = path + ".new"
        do {
            let data = try SavedState.encoder.encode(state)
            guard data.count <= SavedState.maximumBytes else {
                let limit = SavedState.maximumBytes >> 20
                throw EmulatorError(.unwritableState, "the state has more than \(limit) MB: \(path)")
            }
            // A draft that a crash left behind may be open to others.
            if unsafe unlink(draft) != 0, errno != ENOENT { throw CocoaError(.fileWriteNoPermission) }
            let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard unsafe rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch let error as EmulatorError {
            throw error
        } catch {
            throw EmulatorError(.unwritableState, "the state file cannot be written: \(path)", cause: error)
        }
    }

    /// Runs blocking work on another thread.
    /// - Parameter code: the code of the error that is thrown when the threads have ended.
    private static func blocking<Value: Sendable>(
        _ code: EmulatorError.Code, _ body: @escaping @Sendable () throws(EmulatorError) -> Value
    ) async throws(EmulatorError) -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try body() }
        } catch let error as EmulatorError {
            throw error
        } catch {
            throw EmulatorError(code, "the threads for files have ended", cause: error)
        }
    }
}
