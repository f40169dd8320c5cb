import Foundation
import StrictJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// One JSON file, replaced whole. An actor, so that a slower writer never puts older state over newer.
actor StateFile {
    let path: String
    private var writtenRevision = -1

    init(path: String) {
        self.path = path
    }

    /// Nil when there is no file yet.
    nonisolated func load() throws(EmulatorError) -> SavedState? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let state: SavedState
        do {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            let decoder = StrictJSONDecoder(limits: JSONLimits(maximumBytes: SavedState.maximumBytes))
            state = try decoder.decode(SavedState.self, from: bytes)
        } catch {
            throw EmulatorError(.unreadableState, "the state file cannot be read: \(path)", cause: error)
        }
        guard state.version == SavedState.currentVersion else {
            throw EmulatorError(.unreadableState, "the state file is of version \(state.version): \(path)")
        }
        return state
    }

    /// Writes beside the file, flushes, and renames. The new file is its owner's alone from its first byte on.
    func write(_ state: SavedState, revision: Int) throws(EmulatorError) {
        guard revision > writtenRevision else { return }
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
        writtenRevision = revision
    }
}
