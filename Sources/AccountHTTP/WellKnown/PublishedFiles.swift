import NIOCore
import TaskSignals
package import WellKnownFiles

/// The well-known files that a running server serves. An operator can change their content while it runs.
package final class PublishedFiles: Sendable {
    private let files: Lock<[WellKnownFile: ByteBuffer]>

    package init(_ files: [WellKnownFile: CheckedFile] = [:]) {
        self.files = Lock(files.mapValues { ByteBuffer(bytes: $0.bytes) })
    }

    /// Whether the server serves the file. Its route is there if the file was there when the server started.
    package func contains(_ file: WellKnownFile) -> Bool { content(of: file) != nil }

    /// Replaces the content of a file from the next request on.
    package func replace(_ file: WellKnownFile, with content: CheckedFile) {
        let body = ByteBuffer(bytes: content.bytes)
        files.withLock { $0[file] = body }
    }

    /// The content of a file. All responses share its bytes.
    func content(of file: WellKnownFile) -> ByteBuffer? { files.withLock { $0[file] } }
}
