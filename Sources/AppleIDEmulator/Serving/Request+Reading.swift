import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    static let maximumBodySize = 64 * 1024
    private static let bodyDeadline: Duration = .seconds(10)

    /// The body of a form, refused unless it says that it is one.
    ///
    /// - Parameter unencoded: the word for a value that is not percent-encoded.
    func formFields(unencoded: Refusal.Code = .invalidRequest) async throws -> FormFields {
        guard mediaType == "application/x-www-form-urlencoded" else {
            if mediaType == "application/json" {
                // Apple answers so to clients that send JSON to its token endpoint.
                throw Refusal(.unsupportedGrantType, "The body must be a form, not JSON.")
            }
            throw Refusal(.invalidRequest, "Content-Type must be application/x-www-form-urlencoded.")
        }
        return Self.recorded(try FormFields(await boundedBody(), plus: .space, unencoded: unencoded))
    }

    /// The form of a client that proves itself in it. A second proof in a header is refused, as Apple documents.
    ///
    /// A form that is not percent-encoded is `invalid_client`, among whose causes Apple names it.
    func clientFields() async throws -> FormFields {
        let fields = try await formFields(unencoded: .invalidClient)
        guard credentials("basic") == nil || fields["client_secret"] == nil else {
            throw Refusal(.invalidRequest, "The client proves itself twice: in the body and in Authorization.")
        }
        return fields
    }

    /// - Parameter plus: a space in a browser's eyes, and in those of Apple's page.
    func queryFields(plus: FormFields.Plus = .space) throws(Refusal) -> FormFields {
        let target = head.path ?? ""
        let query = target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
        return Self.recorded(try FormFields(Array(query.utf8), plus: plus))
    }

    private static func recorded(_ fields: FormFields) -> FormFields {
        RequestRecord.current?.record(fields)
        return fields
    }

    /// The whole body, unless it is too large or comes too slowly.
    /// - Parameter limit: in bytes.
    func boundedBody(upTo limit: Int = maximumBodySize) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Self.tooLarge(limit)
        }
        let body = body
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    return try await Array(body.collect(upTo: limit).readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw Self.tooLarge(limit)
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.bodyDeadline)
                throw HTTPRefusal(.invalidRequest, "The body came too slowly.", status: .requestTimeout)
            }
            guard let bytes = try await group.next() else { throw CancellationError() }
            return bytes
        }
    }

    /// Lowercase, without parameters.
    var mediaType: String? {
        headers[.contentType]?.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first?
            .trimmingSpaces.lowercased()
    }

    var wantsJSON: Bool { headers[.accept]?.lowercased().contains("application/json") == true }

    /// Whether a browser says that a page of somebody else sent this. Other clients say nothing, and are not stopped.
    func isForeign(to baseURL: String) -> Bool {
        if let site = headers[.secFetchSite], site != "same-origin", site != "none" { return true }
        guard let origin = headers[.origin] else { return false }
        let own = [head.authority.map { "http://\($0)" }, head.authority.map { "https://\($0)" }, baseURL]
        return !own.contains { $0.flatMap { WebAddress(origin: $0) }?.origin == origin }
    }

    /// Whether the `Host` is a loopback name. A name that somebody re-bound to this machine is not; nor is the
    /// emulator's own name when that is another, because a proxy or a tunnel brings others here by it.
    var isAddressedToLoopback: Bool {
        guard let host = head.authority.flatMap({ WebAddress.split($0) })?.host else { return false }
        return WebAddress.isLoopback(host: host)
    }

    private static func tooLarge(_ limit: Int) -> HTTPRefusal {
        HTTPRefusal(.invalidRequest, "A body may have \(limit / 1024) KB.", status: .contentTooLarge)
    }
}

/// The fields of a query string or of an `application/x-www-form-urlencoded` body, read without repairing anything.
///
/// Apple refuses what stands twice, and so does this, for every name, known or not.
@available(siwaServer 1.0, *)
struct FormFields: Sendable {
    private var values: [String: String] = [:]

    /// The meaning of a `+`: a space in forms and, on the web, in queries. Apple's devices, when they take an
    /// authorization request over from the browser, read a plus there.
    enum Plus: Sendable { case space, plus }

    static let maximumCount = 100

    /// - Parameter unencoded: the word for a value that is not percent-encoded.
    init(
        _ bytes: some Collection<UInt8>, plus: Plus, unencoded: Refusal.Code = .invalidRequest
    ) throws(Refusal) {
        guard !bytes.isEmpty else { return }
        let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard pairs.count <= Self.maximumCount else { throw Self.refused("there are too many parameters") }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(parts[0], plus, unencoded)
            guard !name.isEmpty else { throw Self.refused("a parameter has no name") }
            let value = parts.count > 1 ? try Self.decode(parts[1], plus, unencoded) : ""
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.refused("a parameter stands twice\(Self.quoted(name))")
            }
        }
    }

    /// Nil when the field is absent or empty: Apple's endpoints make no difference between the two.
    subscript(_ name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    var names: Set<String> { Set(values.keys) }

    /// The value of a field as it was sent, even if it is empty.
    func verbatim(_ name: String) -> String? { values[name] }

    private static func decode(
        _ bytes: some Collection<UInt8>, _ plus: Plus, _ unencoded: Refusal.Code
    ) throws(Refusal) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    throw Refusal(unencoded, "a percent sign is not followed by two hexadecimal digits")
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plus == .space: decoded.append(UInt8(ascii: " "))
            case 0x21...0x7e: decoded.append(byte)
            default: throw Refusal(unencoded, "a parameter is not percent-encoded")
            }
        }
        guard !decoded.contains(0) else { throw refused("a parameter holds U+0000") }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw refused("a parameter is not UTF-8")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) : nil
    }

    /// Names a parameter only when it looks like one: the text may be shown.
    private static func quoted(_ name: String) -> String {
        let isWord = name.utf8.count <= 40 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
        return isWord ? ": \(name)" : ""
    }

    private static func refused(_ description: String) -> Refusal { Refusal(.invalidRequest, description) }
}

extension Request {
    /// The credentials of a scheme in `Authorization`; nil for another scheme or none. Schemes are the same in whatever
    /// case their letters are (RFC 9110 §11.1).
    /// - Parameter scheme: lowercase.
    func credentials(_ scheme: String) -> String? {
        guard let field = headers[.authorization]?.trimmingSpaces, let space = field.firstIndex(of: " "),
            field[..<space].lowercased() == scheme
        else { return nil }
        return String(field[space...].trimmingSpaces)
    }
}

extension Request {
    /// The path as the router reads it: `//auth/token/` is `/auth/token`. Compare this path with others, or a spelling
    /// leads around the comparison.
    var routedPath: String {
        "/" + uri.path.split(separator: "/").joined(separator: "/")
    }

    /// Whether the path is this one or below it. `/emulator-root.pem` is not under `/emulator`.
    func isUnder(_ path: String) -> Bool {
        routedPath == path || routedPath.hasPrefix(path + "/")
    }
}
