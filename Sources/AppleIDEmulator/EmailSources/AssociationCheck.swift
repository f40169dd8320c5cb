import AppleIDTypes
import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The result of the check for a domain's association file.
enum AssociationCheck: Hashable, Sendable {
    /// The source names no web server, so no file was requested.
    case notServed
    case found
    /// Something else is served there.
    case different
    case status(Int)
    /// A word for why there was no answer.
    case unanswered(String)

    var isGood: Bool { self == .found || self == .notServed }

    var description: String {
        switch self {
        case .notServed: "not asked for"
        case .found: "found"
        case .different: "has another content"
        case .status(let status): "answered with status \(status)"
        case .unanswered(let reason): "not answered: \(reason)"
        }
    }

    /// One GET, ten seconds, no redirect, and no more bytes than the file may have.
    static func run(
        _ file: AssociationFile, at server: String, timeLimit: TimeAmount = .seconds(10)
    ) async throws -> AssociationCheck {
        try await HTTPClient.withHTTPClient(configuration: .oneAttempt(timeLimit: timeLimit)) { client in
            do {
                let request = HTTPClientRequest(url: server + AssociationFile.path)
                let response = try await client.execute(request, timeout: timeLimit)
                guard response.status == .ok else { return .status(Int(response.status.code)) }
                let body = try await response.body.collect(upTo: 4_096)
                return file.matches(Array(body.readableBytesView)) ? .found : .different
            } catch is NIOTooManyBytesError {
                return .different
            } catch {
                // The caller's cancellation says nothing about the web server.
                if Task.isCancelled { throw CancellationError() }
                return .unanswered(HTTPDelivery.reason(error))
            }
        }
    }
}

/// The file with which a domain shows that it belongs to a team. Apple hands it out; the emulator computes it.
struct AssociationFile: Hashable, Sendable {
    static let path = "/.well-known/apple-developer-domain-association.txt"

    let content: String

    init(team: TeamID, domain: String) {
        let text = "siwa emulator domain association \(team) \(domain.lowercased())"
        content = Array(SHA256.hash(data: Data(text.utf8))).hexadecimal
    }

    /// The path and the content that the domain has to serve.
    var json: JSONText { .object([("path", .string(Self.path)), ("content", .string(content))]) }

    /// Whether the served bytes are the file's content. A line break at the end doesn't matter.
    func matches(_ served: [UInt8]) -> Bool {
        String(decoding: served, as: UTF8.self).split(whereSeparator: \.isWhitespace) == [content[...]]
    }
}
