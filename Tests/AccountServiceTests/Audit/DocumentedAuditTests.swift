import Foundation
import Testing

@testable import AccountService

@Suite("The documentation of the audit")
struct DocumentedAuditTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Those rows of the table that name events: what its columns have in code type.
    private func rows() throws -> [(events: [String], details: Set<String>)] {
        let document = try String(contentsOf: root.appending(path: "Docs/operations-records.md"), encoding: .utf8)
        let table = try #require(document.components(separatedBy: "\n| event | subject | detail |\n").last)
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
        return table.dropFirst().map { row in
            let columns = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map { column in
                column.matches(of: #/`(\w+)`/#).map { String($0.1) }
            }
            return (columns[0], Set(columns[2]))
        }
    }

    private func sources(in folder: String) throws -> [(name: String, text: String)] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: "Sources/\(folder)"), includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
            ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }

    /// The raw values that a source file defines.
    private func words(of source: String) -> Set<String> {
        Set(source.matches(of: #/static let \w+ = Self\(rawValue: "(\w+)"\)/#).map { String($0.1) })
    }

    @Test("lists every event, and no other")
    func events() throws {
        var coded: Set<String> = []
        for source in try sources(in: "AccountService") where source.name.hasPrefix("AuditEvent") {
            coded.formUnion(words(of: source.text))
        }
        let documented = try rows().flatMap(\.events)
        #expect(coded.count > 9)
        #expect(Set(documented) == coded && documented.count == coded.count)
    }

    @Test("lists every word of the column `detail`")
    func details() throws {
        let reasons = try #require(try sources(in: "AccountService").first { $0.name == "SessionEndReason.swift" })
        var known: [AuditEvent: Set<String>] = [.signedIn: ["new_account"], .sessionEnded: words(of: reasons.text)]
        known[.refreshRepeated] = ["late"]
        known[.keysRotated] = [ServerKey.Purpose.accessTokens.rawValue]
        known[.accountDeleted] = [AuditActor.Kind.operator.rawValue, SessionEndReason.appleConsentRevoked.rawValue]
        known[.profileChanged] = Set(
            [ProfileMember.name, .contactEmail, .phone].map(\.rawValue))
        known[.consentGiven] = Set(Consent.Purpose.all.map(\.rawValue))
        known[.consentWithdrawn] = known[.consentGiven]
        known[.identityLinked] = [IdentityProvider.apple.rawValue, IdentityProvider.email.rawValue]
        known[.identityUnlinked] = known[.identityLinked]
        known[.identityTransferred] = Set(TransferWay.allCases.map(\.rawValue))
        for (events, details) in try rows() {
            let expected = events.map { known[AuditEvent(rawValue: $0)] ?? [] }
            #expect(expected == events.map { _ in details }, "\(events)")
        }
    }

    @Test("knows every place in the code that sets the column `detail`")
    func origins() throws {
        var detailed: Set<String> = []
        var removals: Set<String> = []
        for source in try sources(in: "AccountService") {
            for call in source.text.components(separatedBy: "AuditEntry(").dropFirst() {
                let arguments = call.prefix(upTo: call.firstRange(of: "))\n")?.lowerBound ?? call.endIndex)
                guard arguments.contains("detail:"), let event = arguments.firstMatch(of: #/^\s*\.(\w+),/#) else {
                    continue
                }
                detailed.insert(String(event.1))
            }
            for call in source.text.components(separatedBy: "PurgeRecord(\n").dropFirst() {
                guard let reason = call.firstMatch(of: #/reason: ([\w.]+)/#) else { continue }
                removals.insert(String(reason.1))
            }
        }
        #expect(
            detailed == [
                "signedIn", "sessionEnded", "refreshRepeated", "accountDeleted", "keysRotated", "profileChanged",
                "consentGiven", "consentWithdrawn", "identityLinked", "identityUnlinked", "identityTransferred",
            ])
        #expect(
            removals == [
                "nil", "AuditActor.Kind.operator.rawValue", "SessionEndReason.appleConsentRevoked.rawValue",
            ])
    }
}
