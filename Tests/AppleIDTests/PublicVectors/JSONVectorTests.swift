import AppleIDTypes
import CryptoExtras
import Foundation
import Testing

@testable import AppleID

/// The parsing suite against every JSON text that somebody else sends: a good signature says nothing about the form.
@Suite("Public vectors: the JSON of tokens", .enabled(if: PublicVectors.isThere, PublicVectors.whereToGetThem))
struct JSONVectorTests {
    /// Valid JSON that is refused on purpose: two readers that disagree about a repeated name would make a hole, and
    /// U+0000 is refused at every boundary.
    static let refusedOnPurpose: Set<String> = [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json", "y_object_escaped_null_in_key.json",
        "y_string_null_escape.json",
    ]

    /// Documents that the suite leaves open and we accept: numbers out of range, which are no value of any claim.
    static func isTaken(_ name: String) -> Bool {
        name.hasPrefix("y_") && !refusedOnPurpose.contains(name)
            || ["i_number_"].contains { name.hasPrefix($0) }
    }

    static func files() throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: try #require(PublicVectors.folder)).appending(path: "jsontestsuite")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(names.count == 318)
        return try names.sorted().map { ($0, try PublicVectors.read("jsontestsuite/\($0)")) }
    }

    /// A text with the file's bytes in it, which need not be UTF-8.
    private static func around(_ bytes: [UInt8], _ before: String, _ after: String) -> [UInt8] {
        Array(before.utf8) + bytes + Array(after.utf8)
    }

    private static func token(_ header: [UInt8], _ payload: [UInt8]) throws -> String {
        let input = TestSigner.base64URL(Data(header)) + "." + TestSigner.base64URL(Data(payload))
        let signature = try TestSigner.shared.key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
        return input + "." + TestSigner.base64URL(signature.rawRepresentation)
    }

    @Test("As a member of the claims, each vector is accepted or refused as stated")
    func claims() async throws {
        let claims = String(TestClaims.identity().json.dropLast())
        for (name, bytes) in try Self.files() {
            let payload = Self.around(bytes, claims + #","more":"#, "}")
            let code = try await failure(of: Self.token(Array(#"{"kid":"TESTKEY001","alg":"RS256"}"#.utf8), payload))
            let isTooLarge = payload.count > 12_000
            #expect(code == (Self.isTaken(name) ? nil : isTooLarge ? .tokenTooLarge : .malformedToken), "\(name)")
        }
    }

    @Test("As a member of the header, each vector is accepted or refused as stated")
    func header() async throws {
        let payload = Array(TestClaims.identity().json.utf8)
        for (name, bytes) in try Self.files() {
            let header = Self.around(bytes, #"{"kid":"TESTKEY001","alg":"RS256","more":"#, "}")
            let code = try await failure(of: Self.token(header, payload))
            let isTooLarge = header.count > 12_000
            #expect(code == (Self.isTaken(name) ? nil : isTooLarge ? .tokenTooLarge : .malformedToken), "\(name)")
        }
    }

    @Test("As the whole claims, each vector is refused as malformed or too large")
    func whole() async throws {
        for (name, bytes) in try Self.files() {
            let code = try await failure(of: Self.token(Array(#"{"kid":"TESTKEY001","alg":"RS256"}"#.utf8), bytes))
            // An object without claims is malformed in another way.
            #expect([.malformedToken, .malformedClaim, .tokenTooLarge].contains(code), "\(name)")
            if !Self.isTaken(name) { #expect(code != .malformedClaim, "\(name)") }
        }
    }

    @Test("In a key set, a token answer and a notification, each vector is accepted or refused as stated")
    func elsewhere() async throws {
        let keys = String(decoding: try TestSigner.shared.keySetJSON(), as: UTF8.self).dropLast()
        let setup = try TestClient()
        let notifications = NotificationVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), environment: setup.clock.environment)
        let payload = try TestSigner.shared.token(.notification())
        for (name, bytes) in try Self.files() {
            let isTaken = Self.isTaken(name)
            let keySet = Self.around(bytes, keys + #","more":"#, "}")
            #expect(((try? KeyCache(fixed: keySet)) != nil) == isTaken, "key set: \(name)")

            setup.transport.answer(
                .ok(
                    Self.around(
                        bytes, #"{"access_token":"a","token_type":"Bearer","expires_in":1,"more":"#, "}")))
            let refused = await failure { () async throws(AppleIDError) in
                _ = try await setup.client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "s")
            }
            #expect(refused?.code == (isTaken ? nil : .malformedAnswer), "token answer: \(name)")

            let body = Self.around(bytes, #"{"payload":"\#(payload)","more":"#, "}")
            let code = await failure { () async throws(AppleIDError) in
                _ = try await notifications.verify(
                    body: body, expecting: NotificationExpectation(audiences: [TestClaims.audience]))
            }?.code
            #expect(code == (isTaken ? nil : body.count > 65_536 ? .tokenTooLarge : .malformedToken), "\(name)")
        }
    }
}
