import Foundation

/// Reads the beginning of a file, so that a large one costs no more than its reader can use.
package enum BoundedFile {
    /// Reads the first bytes of a file: at most one more than the limit, by which the caller knows a larger file.
    /// - Throws: ``Failure`` with the path and the system's reason for a file that cannot be read.
    package static func bytes(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        try bytes(of: "the file \(path)", limit: limit) { try FileHandle(forReadingFrom: URL(filePath: path)) }
    }

    /// Reads the first bytes of standard input: at most one more than the limit, as ``bytes(_:limit:)`` does.
    /// - Throws: ``Failure`` with the system's reason if standard input cannot be read.
    package static func standardInput(limit: Int) throws(Failure) -> [UInt8] {
        try bytes(of: "standard input", limit: limit) { FileHandle.standardInput }
    }

    private static func bytes(
        of name: String, limit: Int, _ open: () throws -> FileHandle
    ) throws(Failure) -> [UInt8] {
        do {
            let handle = try open()
            return try Array(handle.read(upToCount: limit + 1) ?? Data())
        } catch {
            throw Failure("\(name) cannot be read\(reason(error))")
        }
    }

    /// The system's words for an error, after a colon.
    private static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        let code: CInt? =
            switch (cause.domain, cause.code) {
            case (NSPOSIXErrorDomain, let code): CInt(code)
            case (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue): ENOENT
            case (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue): EACCES
            default: nil
            }
        return code.map { unsafe String(cString: strerror($0)) }.map { ": \($0)" } ?? ""
    }
}

/// Reads a small text, such as a token or a key. It refuses more than 1 MiB.
package enum SmallFile {
    private static let limit = 1 << 20

    /// Reads a file.
    package static func text(_ path: String) throws(Failure) -> String {
        let bytes = try BoundedFile.bytes(path, limit: limit)
        guard bytes.count <= limit else { throw Failure("the file \(path) is larger than 1 MiB") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads standard input to its end.
    package static func standardInput() throws(Failure) -> String {
        let bytes = try BoundedFile.standardInput(limit: limit)
        guard bytes.count <= limit else { throw Failure("standard input is larger than 1 MiB", isUsage: true) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
