import AccountService
import AppleIDTypes
import CommandIO
import Foundation
import Testing

@testable import PeopleFiles

@Suite("Long lines of an export")
struct LongExportTests {
    private static let moment = Timestamp(microseconds: 1_767_225_600_123_456)

    private static func consent(_ number: Int) -> PortableConsent {
        PortableConsent(
            id: ConsentID(
                at: moment, randomness: (0..<10).map { $0 < 4 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }),
            purpose: "contact_data", textVersion: "2", givenAt: moment, session: "ses_00000000000000000000000000",
            client: "com.example.juice", address: "2001:db8::1", device: "Zoë's iPad", withdrawnAt: moment)
    }

    private static func person(_ number: UInt8, consents: Int) -> ImportedPerson {
        var person = ImportedPerson(line: 0, formerIDs: [])
        person.createdAt = moment
        person.exported = PortableAccount(
            id: AccountID(at: moment, randomness: Array(repeating: number, count: 10)))
        person.exported?.consents = (0..<consents).map(consent)
        return person
    }

    @Test("accounts with thousands of consents are read as they were written, a few at a time")
    func consents() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-export-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let people = (1...5).map { Self.person($0, consents: 4_000) }
        let lines = try people.map(ExportedPeople.line)
        #expect(lines.allSatisfy { $0.utf8.count > ImportBuffer.maximumRecordBytes })
        let writer = try TransferFileWriter(path, sealedFor: nil)
        try writer.write(lines)
        _ = try writer.finish()

        var file = try PeopleFile(path, as: .siwa, FormatTests.context())
        var read: [ImportedPerson] = []
        var batches: [Int] = []
        while let records = try await file.next(800) {
            batches.append(records.count)
            for case .person(let person) in records { read.append(person) }
        }
        #expect(read.map(\.exported) == people.map(\.exported))
        #expect(batches.count > 1 && batches.reduce(0, +) == people.count)
    }

    @Test("a line that is too long is a fault, and counts as a person, so the file is complete")
    func tooLong() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-export-\(UUID())").path
        let text = "{\"account\":\"\(String(repeating: "x", count: 2_000_000))\"}\n{\"people\":1}\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var file = try PeopleFile(path, as: .siwa, FormatTests.context(), maximumRecordBytes: 1 << 20)
        var problems: [String] = []
        while let records = try await file.next(800) {
            for case .fault(_, let problem) in records { problems.append(problem) }
        }
        #expect(problems == ["is longer than 1 MiB"])
    }
}
