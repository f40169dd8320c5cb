import AppleID
package import CommandIO
import Foundation
package import StrictJSON

/// A JSON Web Token taken apart, and nothing about it believed.
package struct DecodedToken {
    package let header: JSONValue
    package let claims: JSONValue
    let headerJSON: String
    let claimsJSON: String
    let signature: [UInt8]
    /// Header and payload with the dot between them.
    let signingInput: [UInt8]

    /// - Throws: ``Failure``, which names the part that is wrong.
    package init(_ token: String) throws(Failure) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw Failure(
                "malformed_token: a token has three parts with dots between them, this has \(parts.count)",
                hint: parts.count == 1
                    ? "is this perhaps a code, an access token or a refresh token? They are opaque" : nil)
        }
        (header, headerJSON) = try Self.object(parts[0], "first part, the header,")
        (claims, claimsJSON) = try Self.object(parts[1], "second part, the payload,")
        guard let signature = Base64URL.decode(parts[2]) else {
            throw Failure("malformed_token: the third part, the signature, is not base64url")
        }
        self.signature = signature
        signingInput = Array((parts[0] + "." + parts[1]).utf8)
    }

    private static func object(_ part: Substring, _ name: String) throws(Failure) -> (JSONValue, String) {
        guard let bytes = Base64URL.decode(part) else { throw Failure("malformed_token: the \(name) is not base64url") }
        do {
            let root = try JSONDocument(bytes).root
            guard root.kind == .object else { throw Failure("malformed_token: the \(name) is not a JSON object") }
            return (root, String(decoding: bytes, as: UTF8.self))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("malformed_token: the \(name) is not strict JSON: \(error)")
        }
    }

    /// The audiences that the token names, in whatever form.
    var audiences: [String] {
        guard let audience = claims["aud"] else { return [] }
        return audience.string.map { [$0] } ?? audience.elements.compactMap(\.string)
    }

    /// One line a member, with times as people read them.
    package func text(now: Int64) -> String {
        let rows: ([Row]) -> [String] = { $0.map { "  \($0.name)\($0.space)\($0.value)" } }
        return
            (["header"] + rows(Self.rows(header, now: now)) + ["claims"] + rows(Self.rows(claims, now: now))
            + ["signature", "  \(signature.count) bytes, not looked at"])
            .joined(separator: "\n")
    }

    /// The parts as they are, for programs, and the times among the claims.
    package func json() -> String {
        let times = claims.members.compactMap { member -> String? in
            guard Self.timeNames.contains(member.name), let seconds = member.value.int64, Self.isTime(seconds)
            else { return nil }
            return "\"\(member.name)\": \"\(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601))\""
        }
        return """
            {
              "verified": false,
              "header": \(Self.escaped(headerJSON)),
              "claims": \(Self.escaped(claimsJSON)),
              "times": {\(times.joined(separator: ", "))}
            }
            """
    }

    private struct Row {
        let name: String
        let value: String
        var space: String { String(repeating: " ", count: max(1, 18 - name.count)) }
    }

    private static let timeNames: Set<String> = ["iat", "exp", "nbf", "auth_time"]

    private static func isTime(_ seconds: Int64) -> Bool { (0...253_402_300_799).contains(seconds) }

    private static func rows(_ object: JSONValue, now: Int64, indent: String = "") -> [Row] {
        object.members.flatMap { member -> [Row] in
            let name = indent + TextForPeople.quoted(member.name, limit: 40)
            // Apple writes the events of a notification as a text that holds an object; older pages print the object.
            if member.name == "events", let events = Self.object(member.value) {
                return [Row(name: name, value: "")] + rows(events, now: now, indent: indent + "  ")
            }
            if let seconds = member.value.int64, let date = time(member.name, seconds, now: now) {
                return [Row(name: name, value: "\(seconds)  \(date)")]
            }
            return [Row(name: name, value: text(member.value))]
        }
    }

    /// `event_time` is in milliseconds where it is too large for seconds.
    private static func time(_ name: String, _ number: Int64, now: Int64) -> String? {
        if timeNames.contains(name) { return TextForPeople.time(number, now: now) }
        guard name == "event_time" else { return nil }
        return TextForPeople.time(number > 100_000_000_000 ? number / 1_000 : number, now: now)
    }

    private static func object(_ value: JSONValue) -> JSONValue? {
        if value.kind == .object { return value }
        guard let text = value.string else { return nil }
        do {
            let root = try JSONDocument(Array(text.utf8)).root
            return root.kind == .object ? root : nil
        } catch {
            // The value is shown as a text.
            return nil
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value.kind {
        case .null: "null"
        case .bool: value.bool == true ? "true" : "false"
        case .number: value.int64.map { "\($0)" } ?? value.double.map { "\($0)" } ?? "a number"
        case .string: TextForPeople.quoted(value.string ?? "")
        case .array: "[" + value.elements.map(text).joined(separator: ", ") + "]"
        case .object:
            "{"
                + value.members.map { "\(TextForPeople.quoted($0.name, limit: 40)): \(text($0.value))" }
                .joined(separator: ", ") + "}"
        }
    }

    /// JSON has characters outside ASCII in strings only. They are escaped, because some are commands for a terminal.
    private static func escaped(_ json: String) -> String {
        var result = ""
        for unit in json.utf16 {
            if unit < 0x7F, let scalar = Unicode.Scalar(unit) {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }
}
