import Foundation
import Testing

@Suite("The table of Apple's symbols")
struct AppleAPITableTests {
    private let declared: Set<String>
    private let declaredForTests: Set<String>
    private let documented: DocumentedSymbols
    private let remaining: String

    init() throws {
        (declared, declaredForTests, documented, remaining) = try Self.files.get()
    }

    /// Read once for all tests.
    private static let files = Result {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources/OpenAuthenticationServices")
        // OpenAuthenticationServices exports AccountConnection, so an app sees both.
        let connection = root.appending(path: "Sources/AccountConnection")
        let pages = try ["apple-api", "apple-api-passkeys"].map {
            try String(contentsOf: root.appending(path: "Docs/\($0).md"), encoding: .utf8)
        }
        return (
            try PublicDeclarations(in: sources).names.union(try PublicDeclarations(in: connection).names),
            try PublicDeclarations(in: root.appending(path: "Sources/AuthenticationServicesTesting")).names,
            DocumentedSymbols(in: pages.joined(separator: "\n")),
            try String(contentsOf: sources.appending(path: "RemainingInterface.swift"), encoding: .utf8)
        )
    }

    private var present: Set<String> {
        documented.apples[.implemented, default: []].union(documented.apples[.differs, default: []])
    }

    @Test("can be read, and explains every difference")
    func readable() {
        #expect(documented.unreadable == [])
        #expect(documented.apples[.implemented, default: []].count > 100)
        #expect(documented.apples[.absent, default: []].count > 30)
    }

    @Test("lists as present only declared symbols")
    func nothingTooMuch() {
        #expect(present.subtracting(declared).sorted() == [])
        let inTests = documented.apples[.testing, default: []]
        #expect(inTests.count > 3)
        #expect(inTests.subtracting(declaredForTests).sorted() == [])
        #expect(documented.ours.subtracting(declared).sorted() == [])
    }

    @Test(
        "lists as absent or inherited only symbols that are not declared",
        arguments: [DocumentedSymbols.Status.absent, .inherited, .testing])
    func nothingAbsent(_ status: DocumentedSymbols.Status) {
        #expect(documented.apples[status, default: []].intersection(declared).sorted() == [])
    }

    @Test("agrees with the file that lists what is missing")
    func remainingInterface() {
        // The file names a type for its members.
        let absent = Set(
            documented.apples[.absent, default: []].map { symbol in
                symbol.hasPrefix("ASAuthorizationController.") ? symbol : String(symbol.prefix { $0 != "." })
            })
        #expect(absent.filter { !remaining.contains($0) }.sorted() == [])
        let listed = remaining.matches(of: #/\b(ASA|ASC|ASD|ASW|WK|Web)\w{3,}/#).map { String($0.output.0) }
        let known = declared.union(documented.apples[.absent, default: []])
        #expect(listed.filter { !known.contains($0) } == [])
    }

    @Test("has each symbol once")
    func once() {
        var seen = documented.ours
        for status in DocumentedSymbols.Status.allCases {
            let symbols = documented.apples[status, default: []]
            #expect(symbols.intersection(seen).sorted() == [])
            seen.formUnion(symbols)
        }
        #expect(documented.repeated == [])
    }

    @Test("has a row for every public declaration")
    func nothingMissing() {
        let missing = declared.subtracting(present).filter { name in
            !documented.ours.contains { name == $0 || name.hasPrefix("\($0).") }
        }
        #expect(missing.sorted() == [])
    }
}
