import Foundation

/// Reads the beginning of a file, so that a large one costs no more than its reader can use.
package enum BoundedFile {
    /// Reads the first bytes of a file: at most one more than the limit, by which the caller knows a larger file.
    /// - Throws: ``Failure`` with the path and the system's reason for a file that cannot be read.
    package static func bytes(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            return try Array(handle.read(upToCount: limit + 1) ?? Data())
        } catch {
            throw Failure("the file \(path) cannot be read\(reason(error))")
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
