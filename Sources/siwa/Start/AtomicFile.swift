import CommandIO
import Foundation

/// Writes files that other programs read at the same time.
enum AtomicFile {
    /// Replaces the whole file or nothing of it. It has its permissions from its first byte on.
    static func write(_ text: String, to path: String, permissions: UInt32) throws {
        let draft = path + ".new"
        do {
            // A draft that a crash left behind may be open to others; and Foundation sets permissions only at the end.
            if unsafe unlink(draft) != 0, errno != ENOENT { throw CocoaError(.fileWriteNoPermission) }
            let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
            guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
            try fill(descriptor, of: draft, with: text, to: path)
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
    }

    /// Writes the draft and puts it in the file's place. If that fails, it deletes the draft, which may hold a secret or
    /// personal data.
    private static func fill(_ descriptor: Int32, of draft: String, with text: String, to path: String) throws {
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try handle.close()
            guard unsafe rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            _ = unsafe unlink(draft)
            throw error
        }
    }
}
