import CommandIO
import Crypto
import Foundation
import Testing
import X509

@testable import siwa

@Suite("The certificates of siwa demo --tls")
struct LocalTLSTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func later(days: Double) -> Date { now.addingTimeInterval(days * 86_400) }

    @Test("The root and the server's certificate stay the same from one start to the next")
    func kept() async throws {
        try await withDataFolder { folder in
            let first = try LocalTLS.open(in: folder, at: now)
            let root = try folder.read(LocalTLS.rootFile)
            let second = try LocalTLS.open(in: folder, at: later(days: 1))
            #expect(second.authority.root.certificate == first.authority.root.certificate)
            #expect(second.server.certificate == first.server.certificate)
            #expect(second.server.key.rawRepresentation == first.server.key.rawRepresentation)
            #expect(try folder.read(LocalTLS.rootFile) == root)
        }
    }

    @Test("Each folder has a root of its own")
    func ownRoot() async throws {
        try await withDataFolder { one in
            try await withDataFolder { other in
                let first = try LocalTLS.open(in: one, at: now).authority.root.certificate
                let second = try LocalTLS.open(in: other, at: now).authority.root.certificate
                #expect(first.subject != second.subject)
                #expect(first.publicKey != second.publicKey)
            }
        }
    }

    @Test(
        "The server's certificate is made anew when less than a week is left, under the same root",
        arguments: [(days: 0.0, isKept: true), (82.9, true), (83, false), (90, false), (400, false), (-1, false)])
    func renewal(days: Double, isKept: Bool) async throws {
        try await withDataFolder { folder in
            let first = try LocalTLS.open(in: folder, at: now)
            let second = try LocalTLS.open(in: folder, at: later(days: days))
            #expect((second.server.certificate == first.server.certificate) == isKept)
            #expect(second.server.isValid(from: later(days: days), for: 7 * 86_400))
            if days >= 0 {
                #expect(second.authority.root.certificate == first.authority.root.certificate)
            }
        }
    }

    @Test("No certificate is valid longer than its root", arguments: [3_559.0, 3_561, 4_000])
    func newRoot(days: Double) async throws {
        try await withDataFolder { folder in
            let first = try LocalTLS.open(in: folder, at: now)
            let second = try LocalTLS.open(in: folder, at: later(days: days))
            let isKept = second.authority.root.certificate == first.authority.root.certificate
            #expect(isKept == (days < 3_560))
            #expect(second.server.certificate.notValidAfter <= second.authority.root.certificate.notValidAfter)
            #expect(second.authority.isGood(second.server, at: later(days: days)))
            #expect(try folder.read(LocalTLS.rootFile) == (second.authority.root.certificatePEM))
        }
    }

    @Test("A certificate of another root is replaced")
    func foreignServer() async throws {
        try await withDataFolder { folder in
            let first = try LocalTLS.open(in: folder, at: now)
            try FileManager.default.removeItem(atPath: folder.file(LocalTLS.authorityFile))
            let second = try LocalTLS.open(in: folder, at: now)
            #expect(!second.authority.isGood(first.server, at: now))
            #expect(second.authority.isGood(second.server, at: now))
        }
    }

    @Test(
        "Keys are for the owner alone, and the root's file holds none",
        arguments: [(LocalTLS.authorityFile, true), (LocalTLS.serverFile, true), (LocalTLS.rootFile, false)])
    func permissions(file: String, isSecret: Bool) async throws {
        try await withDataFolder { folder in
            _ = try LocalTLS.open(in: folder, at: now)
            let content = try #require(try folder.read(file))
            #expect(content.contains("PRIVATE KEY") == isSecret)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file))
            let permissions = try #require(attributes[.posixPermissions] as? Int)
            #expect(!isSecret || permissions == 0o600)
        }
    }

    @Test(
        "A damaged file is named, with a way to fix it",
        arguments: [LocalTLS.authorityFile, LocalTLS.serverFile], ["", "nonsense", "another's certificate"])
    func damaged(file: String, content: String) async throws {
        try await withDataFolder { folder in
            let tls = try LocalTLS.open(in: folder, at: now)
            let root = tls.authority.root
            let mixed = CertifiedKey(key: tls.server.key, certificate: root.certificate)
            try folder.write(
                content == "another's certificate" ? try mixed.pem : content, to: file, permissions: 0o600)
            let failure = try #require(throws: Failure.self) { try LocalTLS.open(in: folder, at: now) }
            #expect(failure.problem == "the file \(folder.file(file)) is damaged")
            #expect(failure.hint == "remove it, and the demo makes a new one")
        }
    }
}
