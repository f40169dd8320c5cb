import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    static let maximumBodySize = 64 * 1024
    private static let bodyDeadline: Duration = .seconds(10)

    /// The fields of a form in the body. Refuses a body whose content type is another.
    /// - Parameter unencoded: the error code for a value that is not percent-encoded.
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

    /// The parameters in the query.
    /// - Parameter plus: the meaning of a `+`. Browsers and Apple's page read it as a space.
    func queryFields(plus: FormFields.Plus = .space) throws(Refusal) -> FormFields {
        Self.recorded(try FormFields(Array(rawQuery.utf8), plus: plus))
    }

    /// The query as it was sent.
    var rawQuery: Substring {
        let target = head.path ?? ""
        return target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    }

    private static func recorded(_ fields: FormFields) -> FormFields {
        RequestRecord.current?.record(fields)
        return fields
    }

    /// The one member that a control call's body may have, a string. Nil if the member or the whole body is missing.
    func optionalMember(_ name: String) async throws -> String? {
        let body = try await boundedBody()
        guard !body.isEmpty else { return nil }
        var members = try Members(body)
        let value = try members.string(name)
        try members.checkAllWereRead()
        return value
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

    /// Whether a browser says that another site's page sent this request. Other clients don't say, and are let through.
    func isForeign(to baseURL: String) -> Bool {
        if let site = headers[.secFetchSite], site != "same-origin", site != "none" { return true }
        guard let origin = headers[.origin] else { return false }
        let own = [head.authority.map { "http://\($0)" }, head.authority.map { "https://\($0)" }, baseURL]
        return !own.contains { $0.flatMap { WebAddress(origin: $0) }?.origin == origin }
    }

    /// Whether the `Host` is a loopback name. A name that somebody re-bound to this machine doesn't count. Neither does
    /// the emulator's own name, because a proxy or a tunnel can bring other machines here under it.
    var isAddressedToLoopback: Bool {
        guard let host = head.authority.flatMap({ WebAddress.split($0) })?.host else { return false }
        return WebAddress.isLoopback(host: host)
    }

    private static func tooLarge(_ limit: Int) -> HTTPRefusal {
        HTTPRefusal(.invalidRequest, "A body may have \(limit / 1024) KB.", status: .contentTooLarge)
    }
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
