package import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import CommandIO
import Foundation
import HTTPTypes
import StrictJSON

/// A key set as it was answered, for people and for programs.
package struct AppleKeyList {
    package struct Key: Encodable {
        let kid: String
        let kty: String?
        let use: String?
        let alg: String?
        /// Nil when there is no modulus.
        let bits: Int?
        /// Whether a token that names it can be verified.
        package let isUsable: Bool
    }

    package let place: String
    /// The headers that say how old the set is; a file has none.
    private let ages: [(name: String, value: String)]
    package private(set) var keys: [Key]

    /// - Throws: ``Failure`` when it is no key set.
    package init(_ answer: KeySource.Answer) async throws {
        place = answer.place
        ages = answer.headerFields.compactMap { field in
            let name = field.name.canonicalName
            guard ["date", "age", "cache-control", "expires", "last-modified"].contains(name) else { return nil }
            return (name, TextForPeople.quoted(field.value, limit: 100))
        }
        let cache: KeyCache
        let members: JSONValue?
        do {
            cache = try KeyCache(fixed: answer.body)
            members = try JSONDocument(answer.body).root["keys"]
        } catch let error as AppleIDError {
            throw Failure("\(place) holds no usable key set: \(error.reason)", hint: KeySource.hint)
        }
        var keys: [Key] = []
        for member in (members.map { Array($0.elements.prefix(100)) }) ?? [] {
            let kid = member["kid"]?.string ?? ""
            keys.append(
                Key(
                    kid: TextForPeople.quoted(kid, limit: 80), kty: Self.text(member["kty"]),
                    use: Self.text(member["use"]), alg: Self.text(member["alg"]), bits: Self.bits(member["n"]),
                    isUsable: await Self.isUsable(kid, in: cache)))
        }
        self.keys = keys
    }

    package mutating func keep(_ kid: String) {
        keys.removeAll { $0.kid != TextForPeople.quoted(kid, limit: 80) }
    }

    package func text() -> String {
        let rows =
            [["kid", "kty", "use", "alg", "bits", ""]]
            + keys.map { key in
                [
                    key.kid, key.kty ?? "-", key.use ?? "-", key.alg ?? "-", key.bits.map { "\($0)" } ?? "-",
                    key.isUsable ? "usable" : "NOT USABLE",
                ]
            }
        let widths = (0..<6).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let table = rows.map { row in
            row.indices.map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        return (["keys of \(place)"] + table + ages.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    }

    package func json() throws -> String {
        struct Whole: Encodable {
            let place: String
            let keys: [Key]
            let headers: [String: String]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
        let headers = Dictionary(ages.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return String(
            decoding: try encoder.encode(Whole(place: place, keys: keys, headers: headers)), as: UTF8.self)
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.string.map { TextForPeople.quoted($0, limit: 20) }
    }

    private static func bits(_ modulus: JSONValue?) -> Int? {
        guard let bytes = modulus?.string.flatMap({ Base64URL.decode($0) })?.drop(while: { $0 == 0 }),
            let first = bytes.first
        else { return nil }
        return bytes.count * 8 - first.leadingZeroBitCount
    }

    private static func isUsable(_ kid: String, in cache: KeyCache) async -> Bool {
        do {
            _ = try await cache.key(KeyID(kid))
            return true
        } catch {
            // A fixed set has one reason to throw: no usable key of this name.
            return false
        }
    }
}

/// The source of public keys for `siwa token verify`: a file, a URL, or Apple.
package struct KeySource {
    /// A key set as it was found.
    package struct Answer {
        let place: String
        let body: [UInt8]
        /// The response's header fields; none for a file.
        var headerFields: HTTPFields = [:]
    }

    private let place: String

    package init(_ place: String?) {
        self.place = place ?? AppleServer.apple.keysURL
    }

    package func load() async throws -> KeyCache {
        do {
            return try KeyCache(fixed: try await fetch().body)
        } catch let error as AppleIDError {
            throw Failure("\(place) holds no usable key set: \(error.reason)", hint: Self.hint)
        }
    }

    static let hint =
        "--keys takes a file or URL with {\"keys\": […]}, as \(AppleServer.apple.keysURL) answers it"

    package func fetch() async throws -> Answer {
        guard place.hasPrefix("https://") || place.hasPrefix("http://") else {
            guard let content = FileManager.default.contents(atPath: place) else {
                throw Failure("the file \(place) cannot be read", hint: Self.hint)
            }
            return Answer(place: place, body: Array(content))
        }
        let transport = AsyncHTTPTransport()
        let answer: Result<AppleResponse, any Error>
        do {
            answer = .success(try await transport.send(AppleRequest.get(place)))
        } catch {
            answer = .failure(error)
        }
        try await transport.shutdown()
        switch answer {
        case .success(let response) where response.status == 200:
            return Answer(place: place, body: response.body, headerFields: response.head.headerFields)
        case .success(let response):
            throw Failure("keys_unavailable: \(place) answers with status \(response.status)", hint: Self.hint)
        case .failure:
            throw Failure("keys_unavailable: \(place) cannot be reached", hint: Self.hint)
        }
    }
}
