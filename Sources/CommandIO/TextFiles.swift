import ArgumentParser
import Foundation

/// Reads what is a few lines long, and no more of what is not.
package enum SmallFile {
    private static let limit = 1 << 20

    package static func text(_ path: String) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure("the file \(path) cannot be read")
        }
        let data: Data
        do {
            data = try handle.read(upToCount: limit) ?? Data()
        } catch {
            throw Failure("the file \(path) cannot be read")
        }
        guard data.count < limit else { throw Failure("the file \(path) is larger than any token") }
        return String(decoding: data, as: UTF8.self)
    }

    package static func standardInput() throws -> String {
        let data = try FileHandle.standardInput.read(upToCount: limit) ?? Data()
        guard data.count < limit else { throw ValidationError("Standard input is larger than any token.") }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Files of ours that others read while they are written.
package enum AtomicFile {
    /// Replaces the whole file or nothing of it. It has its permissions from its first byte on.
    package static func write(_ text: String, to path: String, permissions: UInt32) throws {
        let draft = path + ".new"
        do {
            // A draft that a crash left behind may be open to others; and Foundation sets permissions only at the end.
            if unsafe unlink(draft) != 0, errno != ENOENT { throw CocoaError(.fileWriteNoPermission) }
            let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
            guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try handle.close()
            guard unsafe rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
    }
}
