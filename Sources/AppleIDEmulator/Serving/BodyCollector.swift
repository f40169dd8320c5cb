import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Takes a response's body in where there is no connection to write it to.
final class BodyCollector: ResponseBodyWriter, Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
