import AccountService
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A database's place on disk.
struct DatabaseFile {
    let path: String

    /// Makes the file, and its folder, for their owner alone, unless they are there: what is there is left as it is.
    ///
    /// SQLite would make the file readable by everybody; its side files take after the file.
    func createIfMissing() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw AccountError(.configuration, "The database's folder cannot be made.", cause: error)
            }
        }
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        let failure = errno
        if descriptor >= 0 {
            close(descriptor)
        } else if failure != EEXIST {
            let cause = POSIXErrorCode(rawValue: failure).map { POSIXError($0) }
            throw AccountError(.configuration, "The database's file cannot be made.", cause: cause)
        }
    }
}
