import AccountAPI
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// The fields of a form or a query, `application/x-www-form-urlencoded`, in the order they came.
///
/// A parser of our own reads them, because people sign in with these fields. It refuses what other parsers repair: bad
/// percent-encoding, bytes that are not UTF-8, U+0000, and a field that comes twice.
@available(siwaServer 1.0, *)
struct FormFields: Sendable {
    let fields: [(name: String, value: String)]

    /// The maximum number of fields. No form of the service has as many.
    static let maximumCount = 32

    /// Throws ``ErrorCode/malformedForm``.
    init(_ bytes: some Collection<UInt8>) throws(HTTPFailure) {
        var fields: [(name: String, value: String)] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = try Self.decode(pair[..<(equals ?? pair.endIndex)])
            let value =
                try equals.map { index throws(HTTPFailure) in try Self.decode(pair[index...].dropFirst()) } ?? ""
            guard !fields.contains(where: { $0.name == name }) else {
                throw HTTPFailure(.malformedForm, "A field comes twice.")
            }
            guard fields.count < Self.maximumCount else {
                throw HTTPFailure(.malformedForm, "There are more than \(Self.maximumCount) fields.")
            }
            fields.append((name, value))
        }
        self.fields = fields
    }

    /// Reads the form in a request's body.
    /// - Throws: ``ErrorCode/unsupportedMediaType`` for another content type, and ``ErrorCode/malformedForm``.
    init(bodyOf request: Request, limits: HTTPLimits) async throws {
        try ContentType.form.require(in: request)
        let buffer = try await request.body.collect(upTo: limits.maximumBodyBytes)
        try self.init(buffer.readableBytesView)
    }

    /// The parameters of a request's query.
    /// - Parameter parameter: the name of the parameter that the caller looks for. The error names it if the query is
    ///   malformed.
    init(queryOf request: Request, for parameter: String) throws(HTTPFailure) {
        do {
            try self.init((request.uri.query ?? "").utf8)
        } catch {
            throw HTTPFailure.invalidRequest(parameter, "cannot be read: the query is malformed", cause: error)
        }
    }

    subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    private static func decode(_ text: some Collection<UInt8>) throws(HTTPFailure) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = hexadecimalDigit(rest.next()), let low = hexadecimalDigit(rest.next()) else {
                    throw HTTPFailure(.malformedForm, "A percent sign is not followed by two hexadecimal digits.")
                }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else {
            throw HTTPFailure(.malformedForm, "U+0000 is not taken.")
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw HTTPFailure(.malformedForm, "The form is not UTF-8.")
        }
        return string
    }

    private static func hexadecimalDigit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let byte) where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"):
            byte - UInt8(ascii: "0")
        case .some(let byte) where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F"):
            byte - UInt8(ascii: "A") + 10
        case .some(let byte) where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"):
            byte - UInt8(ascii: "a") + 10
        default:
            nil
        }
    }
}

/// Reads requests that are JSON.
struct JSONBody: Sendable {
    private let maximumBytes: Int
    private let decoder: StrictJSONDecoder

    init(limits: HTTPLimits) {
        maximumBytes = limits.maximumBodyBytes
        decoder = StrictJSONDecoder(limits: JSONLimits(maximumBytes: limits.maximumBodyBytes))
    }

    /// Throws ``HTTPFailure`` for another content type, `StrictJSONError` for what is not JSON and `DecodingError` for
    /// JSON of another shape.
    func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        try ContentType.json.require(in: request)
        let buffer = try await request.body.collect(upTo: maximumBytes)
        return try decoder.decode(type, from: Array(buffer.readableBytesView))
    }
}

/// The two kinds of body that requests here have.
enum ContentType: String {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"

    /// Throws ``ErrorCode/unsupportedMediaType`` unless the request says that its body is this. Parameters such as
    /// `charset` are not looked at: both kinds are UTF-8 here.
    func require(in request: Request) throws(HTTPFailure) {
        let field = request.headers[.contentType] ?? ""
        if field == rawValue { return }
        let type = field.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        guard type.lowercased() == rawValue else {
            throw HTTPFailure(.unsupportedMediaType, "This call takes a body of type \(rawValue).")
        }
    }
}
