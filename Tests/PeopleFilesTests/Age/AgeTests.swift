import CommandIO
import Crypto
import Foundation
import Testing

@testable import PeopleFiles

@Suite("Files sealed with age")
struct AgeTests {
    /// The key pair in age's own documentation of Bech32 keys.
    private static let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    private static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    /// The key of 32 bytes 0x43.
    private static let otherSecret = "AGE-SECRET-KEY-1GDP5XS6RGDP5XS6RGDP5XS6RGDP5XS6RGDP5XS6RGDP5XS6RGDPSST380Y"

    private func sealed(_ pieces: [[UInt8]], for recipient: String = Self.recipient) throws -> [UInt8] {
        var sealer = try AgeSealer(for: AgeRecipient(recipient))
        var bytes = sealer.begin()
        for piece in pieces { bytes += try sealer.seal(piece) }
        return try bytes + sealer.finish()
    }

    private func opened(_ bytes: [UInt8], in pieces: Int = 1_000, with secret: String = Self.secret) throws -> [UInt8] {
        var opener = AgeOpener(identity: try AgeIdentity(fileText: "# a comment\n\(secret)\n"))
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            text += try opener.open(Array(bytes[start..<min(start + pieces, bytes.count)]), isLast: false)
        }
        return try text + opener.open([], isLast: true)
    }

    @Test("the test key of age belongs to its recipient")
    func keys() throws {
        let identity = try AgeIdentity(fileText: Self.secret)
        #expect(Array(identity.key.rawRepresentation) == Array(repeating: 0x42, count: 32))
        let recipient = try AgeRecipient(Self.recipient)
        #expect(recipient.key.rawRepresentation == identity.key.publicKey.rawRepresentation)
        let other = try AgeIdentity(fileText: Self.otherSecret)
        #expect(Array(other.key.rawRepresentation) == Array(repeating: 0x43, count: 32))
    }

    @Test("are opened as they were sealed", arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func roundTrip(_ count: Int) throws {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = try sealed([Array(text.prefix(count / 3)), Array(text.dropFirst(count / 3))])
        #expect(try opened(bytes) == text)
        #expect(try opened(bytes, in: bytes.count) == text)
        #expect(!String(decoding: bytes.prefix(400), as: UTF8.self).contains("acc_"))
    }

    @Test("are imported without a byte order mark, and refused in UTF-16", arguments: [1, 65_533, 65_534, 200_000])
    func byteOrderMark(_ count: Int) throws {
        let identity = try AgeIdentity(fileText: Self.secret)
        func read(_ text: [UInt8]) throws -> [UInt8] {
            try RecordTests.withFile(sealed([text])) { path in
                var input = try ImportInput(path, identity: identity)
                var bytes: [UInt8] = []
                while let piece = try input.next() { bytes += piece }
                return bytes
            }
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = Array(repeating: UInt8(ascii: "a"), count: count)
        #expect(try read(mark + text) == text)
        #expect(try read(text + mark) == text + mark)
        #expect(throws: Failure.self) { try read([0xFF, 0xFE] + text) }
    }

    /// Made by age 1.1.1, for the test key and another one.
    private static let byAge = """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBwZFdCb01QWDZudFM0bDVzSlpVUWRzZGM2aVZlK3c4Q09wNFJHZEJVdUJ3 \
        CkE2ZU9WR3hjZGovb0JEMUsrWFVtK3NaeE4vUEJNN3ZTVDhEemF3eEVwbDgKLT4gWDI1NTE5IFNBaWdaK0VINGRqQW1LT3lDZklF \
        VldYK0RNMDNaK1B1YnB3dGRVdCtQREUKN2RXakpNTmRnTi82UlU5U3FURkMxM1BpN25sbXp2enAzZjRqbDNKT2FhVQotLS0gWDNa \
        ZGJMY0FpRXNncVp2WW51SFBadDFRMUo2bWJTWVh3K0tJcGlxYklFRQrTYAXkKx8vUnRsqbrKzJV8EHbeMTFvQ2MNNEfJScelRFYP \
        qeDDtO87ImGT4f6CtAicS7IUW1OrFWEHRj3hyKymLcXbKq1Ndfe0EoGFTQ==
        """

    @Test("are opened if age itself has sealed them")
    func interoperation() throws {
        let bytes = try #require(Data(base64Encoded: Self.byAge.replacing(" ", with: "")))
        #expect(
            String(decoding: try opened(Array(bytes)), as: UTF8.self)
                == "{\"account\":\"acc_00000000000000000000000000\"}\n")
    }

    @Test("are not opened with another key, or if they were changed or cut off")
    func refused() throws {
        let bytes = try sealed([Array(repeating: 7, count: 70_000)])
        #expect(throws: Failure.self) { try opened(bytes, with: Self.otherSecret) }
        for index in [30, 60, 120, 180, 240, bytes.count / 2, bytes.count - 1] {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: Failure.self, "byte \(index)") { try opened(changed) }
        }
        for length in [20, 100, 216, 1_000, 65_536, bytes.count - 1] {
            #expect(throws: Failure.self, "cut at \(length)") { try opened(Array(bytes.prefix(length))) }
        }
        #expect(throws: Failure.self) { try opened(bytes + [0]) }
    }

    @Test(
        "need recipients that are spelt right",
        arguments: [
            "", "age1", "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwk",
            "AGE1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj", AgeTests.secret, "ssh-ed25519 AAAA",
        ])
    func recipients(_ text: String) {
        #expect(throws: Failure.self) { try AgeRecipient(text) }
    }
}
