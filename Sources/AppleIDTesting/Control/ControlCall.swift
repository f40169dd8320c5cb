import AppleIDEmulator
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that says why the emulator refused a control call of a test.
public struct ControlRefused: Error, Equatable, CustomStringConvertible {
    /// The emulator's error code, such as `unknown_person`, `invalid_client` or `invalid_request`.
    public let code: String
    /// One sentence for people.
    public let message: String

    /// The code and the message, for the output of a test that did not expect the error.
    public var description: String { "\(code): \(message)" }

    struct Body: Decodable {
        let error: String
        let message: String
    }
}

/// A member of the body of a control call. The body leaves out members that are nil.
struct Member: Encodable {
    private enum Value {
        case text(String)
        case texts([String])
        case flag(Bool)
        case number(Int)
        case share(Double)
        case value(any Encodable)
    }

    private let value: Value

    init?(text: String?) {
        guard let text else { return nil }
        value = .text(text)
    }

    init?(texts: [String]?) {
        guard let texts else { return nil }
        value = .texts(texts)
    }

    init?(flag: Bool?) {
        guard let flag else { return nil }
        value = .flag(flag)
    }

    init?(number: Int?) {
        guard let number else { return nil }
        value = .number(number)
    }

    init?(share: Double?) {
        guard let share else { return nil }
        value = .share(share)
    }

    init(value: any Encodable) {
        self.value = .value(value)
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .text(let text): try text.encode(to: encoder)
        case .texts(let texts): try texts.encode(to: encoder)
        case .flag(let flag): try flag.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .share(let share): try share.encode(to: encoder)
        case .value(let value): try value.encode(to: encoder)
        }
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Makes a control call, through the emulator's routes and not past them.
    /// - Returns: the bytes of the response.
    /// - Throws: ``ControlRefused`` if the emulator refuses the call.
    @discardableResult
    func control(_ method: HTTPRequest.Method, _ path: String, _ bytes: [UInt8] = []) async throws -> [UInt8] {
        let authority = portal.baseURL.split(separator: "/").last.map(String.init)
        var request = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        if method == .post { request.headerFields[.contentType] = "application/json" }
        if let controlToken { request.headerFields[.authorization] = "Bearer \(controlToken)" }
        let (response, body) = await respond(to: request, body: bytes)
        guard response.status.kind == .successful else {
            let refusal = try JSONDecoder().decode(ControlRefused.Body.self, from: Data(body))
            throw ControlRefused(code: refusal.error, message: refusal.message)
        }
        return body
    }

    /// Makes a control call with a JSON object.
    @discardableResult
    func control(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: Member?]
    ) async throws -> [UInt8] {
        try await control(method, path, Array(try JSONEncoder().encode(members.compactMapValues { $0 })))
    }

    /// Makes a control call without a body, and reads its response.
    func controlled<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, as answer: Answer.Type = Answer.self
    ) async throws -> Answer {
        try JSONDecoder().decode(answer, from: Data(await control(method, path)))
    }

    /// Makes a control call with a JSON object, and reads its response.
    func controlled<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: Member?],
        as answer: Answer.Type = Answer.self
    ) async throws -> Answer {
        try JSONDecoder().decode(answer, from: Data(await control(method, path, members)))
    }
}
