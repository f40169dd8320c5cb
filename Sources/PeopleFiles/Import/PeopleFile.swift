package import AccountService
import CommandIO
package import Logging

/// A record of a file of people.
package enum ReadPerson: Sendable {
    case person(ImportedPerson)
    /// A record that can't be read.
    case fault(line: Int, problem: String)
    /// People of an export whose accounts were deleted at the other siwa.
    case forgotten([ForgottenPerson])
}

/// The people of a file of another service, or of its PostgreSQL database, read piece by piece.
package struct PeopleFile {
    /// The length of the records in bytes after which ``next(_:)`` returns them.
    static let batchBytes = 4 << 20

    private let format: ImportFormat
    private let context: ImportContext
    private let name: String
    /// The maximum length of a record in bytes.
    private let maximumRecordBytes: Int
    /// The reader of the file: exactly one of the three isn't nil. Each is changed in place, without a copy of its buffer.
    private var objects: JSONRecords?
    private var rows: CSVRecords?
    private var database: ForeignDatabase?
    /// The number of people in a database, and the number of those who were read.
    private var (total, done) = (0, 0)
    private var columns: [String: Int] = [:]
    private var people = 0
    /// The number of people in the last line of an export; nil until that line was read.
    private var announced: Int?

    /// Opens a file.
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - identity: Opens a file that is sealed with age.
    ///   - maximumRecordBytes: The maximum length of a record; nil for that of the format.
    package init(
        _ path: String, as format: ImportFormat, _ context: ImportContext, identity: AgeIdentity? = nil,
        maximumRecordBytes: Int? = nil
    ) throws {
        self.format = format
        self.context = context
        self.maximumRecordBytes =
            maximumRecordBytes
            ?? (format == .siwa ? ExportedPeople.maximumLineBytes : ImportBuffer.maximumRecordBytes)
        let input = try ImportInput(path, identity: identity)
        name = input.name
        switch format {
        case .firebase, .auth0, .siwa: objects = JSONRecords(input, maximumRecordBytes: self.maximumRecordBytes)
        case .supabase, .serverpod, .csv:
            let rows = try CSVRecords(input, separator: context.mapping?.separator ?? UInt8(ascii: ","))
            try context.mapping?.check(rows.columns)
            let needed = format == .supabase ? ["id", "email", "encrypted_password", "identities"] : []
            for name in needed where !rows.columns.contains(name) {
                throw Failure(
                    "\(input.name) has no column \(name)",
                    hint: "Docs/import-supabase.md has the query that makes the file")
            }
            columns = Dictionary(uniqueKeysWithValues: rows.columns.enumerated().map { ($1, $0) })
            self.rows = rows
        }
    }

    /// Opens the database of a service.
    /// - Parameter logger: Logs when the database fails, and when it works again.
    package init(
        _ storage: AccountStorage, of format: ImportFormat, _ context: ImportContext, logger: Logger
    ) async throws {
        let service: ForeignDatabase.Service
        switch format {
        case .supabase: service = .supabase
        case .serverpod: service = .serverpod
        default: throw Failure("people of \(format.rawValue) come in a file", isUsage: true)
        }
        self.format = format
        self.context = context
        name = "the database"
        maximumRecordBytes = ImportBuffer.maximumRecordBytes
        let database = try await ForeignDatabase(storage, of: service, logger: logger)
        do {
            total = try await database.count()
        } catch {
            try await database.close()
            throw error
        }
        self.database = database
    }

    /// Closes the database. A file needs no end.
    package func close() async throws { try await database?.close() }

    /// The part of the file or database that was read, from 0 to 1,000. It is 0 for standard input.
    package var progress: Int {
        if database != nil { return total == 0 ? 1_000 : min(1_000, done * 1_000 / total) }
        let consumed = objects?.consumed ?? rows?.consumed ?? 0
        let size = objects?.size ?? rows?.size
        guard let size, size > 0 else { return 0 }
        return min(1_000, consumed * 1_000 / size)
    }

    /// Returns the next records; nil at the end. Long records come in smaller numbers, so that they need less memory.
    /// - Parameter limit: The maximum number of records.
    /// - Throws: ``Failure`` for an export of siwa that was cut off.
    package mutating func next(_ limit: Int) async throws -> [ReadPerson]? {
        var read: [ReadPerson] = []
        var length = 0
        while read.isEmpty || (read.count < limit && length < Self.batchBytes),
            let record = try await nextRecord()
        {
            if case .json(let bytes, _) = record { length += bytes.count }
            if let person = person(record) { read.append(person) }
        }
        guard read.isEmpty else { return read }
        if format == .siwa, announced != people {
            throw Failure(
                "\(name) is not complete: its last line should name \(people) people",
                hint: "make the export again; the people before are kept")
        }
        return nil
    }

    private mutating func nextRecord() async throws -> ImportRecord? {
        if database != nil {
            guard let person = try await database?.next() else { return nil }
            done += 1
            return .json(Array(person.utf8), line: done)
        }
        if objects != nil { return try objects?.next() }
        return try rows?.next()
    }

    private mutating func person(_ record: ImportRecord) -> ReadPerson? {
        do throws(ImportFields.Problem) {
            switch record {
            case .fault(let problem, let line):
                // The last line of an export counts the person, too.
                if format == .siwa { people += 1 }
                return .fault(line: line, problem: problem)
            case .row(let fields, let line):
                return .person(try format.person(ImportFields(row: fields, columns: columns, line: line), context))
            case .json(let bytes, let line):
                if format == .siwa, let count = TransferFileEnd.people(in: bytes[...]) {
                    announced = count
                    return nil
                }
                people += 1
                let fields = try ImportFields(json: bytes, line: line, maximumBytes: maximumRecordBytes)
                if format == .siwa, let forgotten = try ExportedPeople.forgotten(fields) {
                    people -= 1
                    return .forgotten(forgotten)
                }
                return .person(try format.person(fields, context))
            }
        } catch {
            let line =
                switch record {
                case .json(_, let line), .row(_, let line), .fault(_, let line): line
                }
            return .fault(line: line, problem: error.text)
        }
    }
}
