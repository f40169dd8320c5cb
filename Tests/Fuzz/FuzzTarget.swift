// One entry for libFuzzer: the first byte says as what the rest is read. Compiled by Tests/Fuzz/run, not by the
// package, together with the files of the library that it names.
import AppleIDTransport
import AppleIDTypes
import StrictJSON
import StrictJWS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The real one needs what this is built without.
enum SizeRule {
    static let maximumBytes = 16_384
}

/// A key without numbers, so that this needs no cryptography.
struct FuzzKey: PublicKey {
    let id: KeyID
    let derRepresentation: [UInt8]

    init?(_ key: JSONValue) {
        guard let id = key["kid"]?.string, let modulus = key["n"]?.string.flatMap({ Base64URL.decode($0) }) else {
            return nil
        }
        self.id = KeyID(id)
        derRepresentation = modulus
    }
}

/// Runs one input of libFuzzer's.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    guard let first = bytes.first else { return 0 }
    let input = Array(bytes.dropFirst())
    switch first & 7 {
    case 0: readToken(input)
    case 1: readDocument(input)
    case 2: _ = claims(input, in: input.indices)
    case 3: _ = try? KeySet<FuzzKey>(input, fetchedAt: .distantPast)
    case 4: _ = try? NotificationBody(input)
    case 5: _ = try? TokenAnswer(AppleResponse(status: 200, body: input), to: .exchange)
    case 6: _ = TokenRefusal.error(for: AppleResponse(status: 400, body: input), to: .refresh)
    default: readBase64(input)
    }
    return 0
}

/// Checks that a text that is taken for a token is spelt as its parts would be spelt anew.
private func readToken(_ input: [UInt8]) {
    guard let parts = try? TokenParts(input) else { return }
    let (header, payload) = (Array(parts.bytes[parts.header]), Array(parts.bytes[parts.payload]))
    let spelt = [header, payload, Array(parts.signature)].map { Base64URL.text($0) }.joined(separator: ".")
    precondition(Array(spelt.utf8) == input, "a token has a second spelling")
    readDocument(header)
    if let known = TokenHeader(asAppleWritesIt: parts.bytes, in: parts.header) {
        let root = try? JSONDocument(header).root
        precondition(
            root?["kid"]?.string == known.keyID.lenient && root?["alg"]?.string == known.algorithm.lenient
                && root?.members.map(\.name) == ["kid", "alg"], "a header known by its bytes is read differently")
    }
    // Among the other parts' bytes a part says what it says alone.
    let alone = claims(payload, in: payload.indices)
    precondition(claims(parts.bytes, in: parts.payload) == alone, "a payload is read differently among other bytes")
}

private func claims(_ bytes: [UInt8], in range: Range<Int>) -> IdentityTokenClaims? {
    guard let members = try? JSONMemberReader(bytes, in: range, limits: JSONLimits(maximumDepth: 16)) else {
        return nil
    }
    return TokenClaims(members).identityClaims(audience: nil)
}

/// Walks through a text that is taken for a document, and finds its members again by their names.
private func readDocument(_ input: [UInt8]) {
    guard let root = try? JSONDocument(input, limits: JSONLimits(maximumDepth: 16)).root else { return }
    walk(root)
}

private func walk(_ value: JSONValue) {
    _ = (value.bool, value.int64, value.double, value.string)
    for element in value.elements { walk(element) }
    for (name, member) in value.members {
        precondition(value[name]?.offset == member.offset, "a member is not found by its name")
        walk(member)
    }
}

private func readBase64(_ input: [UInt8]) {
    guard let decoded = Base64URL.decode(input.span) else { return }
    precondition(Base64URL.encode(decoded) == input, "a value has a second spelling")
}
