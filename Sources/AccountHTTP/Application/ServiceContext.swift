import AccountService
import Crypto
import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// What is known of any request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// By which the client and the log know the request.
    let requestID: String
    /// Who is at the other end of the connection: the client or a proxy.
    let peer: SocketAddress?
    /// The session of a good access token; set under `/v1` alone.
    var tokenSession: StoredSession?
    /// The session of a good token, live or ended by Apple's word; set before the two calls that both may make.
    var evenEndedSession: StoredSession?
    /// The session of a good cookie; set on pages alone.
    var browserSession: StoredSession?

    init(source: ApplicationRequestContextSource) {
        requestID = RequestName.next()
        // Hummingbird's own name for the request counts up, so an answer would tell how many requests there were.
        var logger = source.logger
        logger[metadataKey: "hb.request.id"] = "\(requestID)"
        coreContext = CoreRequestContextStorage(
            source: ApplicationRequestContextSource(channel: source.channel, logger: logger))
        peer = source.channel.remoteAddress
    }
}

/// Makes the names by which clients and the log know requests: 32 hexadecimal digits, different for each request.
///
/// A name is the request's number under a key that the process makes at its start. So names look random, and tell
/// neither the order of requests nor how many there were; and making one needs no call to the system.
enum RequestName {
    private static let key = SymmetricKey(size: .bits256)
    private static let count = Atomic<UInt64>(0)
    private static let digits = Array("0123456789abcdef".utf8)

    static func next() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let code = unsafe withUnsafeBytes(of: number) { unsafe HMAC<SHA256>.authenticationCode(for: $0, using: key) }
        var name: [UInt8] = []
        name.reserveCapacity(32)
        for byte in code.prefix(16) {
            name.append(digits[Int(byte >> 4)])
            name.append(digits[Int(byte & 15)])
        }
        return String(decoding: name, as: UTF8.self)
    }
}

/// The rest of the way to the route, as a middleware gets it.
typealias Next = @concurrent (Request, ServiceContext) async throws -> Response
