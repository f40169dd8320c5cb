import Foundation

/// Where notes for people go when nobody has said better.
enum StandardError {
    static func say(_ line: String) {
        // Somebody may have closed it, or its disk may be full: a note is not worth the process, and nobody is left to
        // hear of the failure.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
