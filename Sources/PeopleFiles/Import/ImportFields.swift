import AccountService
import Foundation
import StrictJSON

/// The members of a person's record in a file: a JSON object, or a row of a table.
struct ImportFields {
    private enum Source {
        case json(JSONValue)
        case row([String?], columns: [String: Int])
    }

    /// The fault of a person's record. Its text is the end of a sentence that begins with the line.
    struct Problem: Error {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    private static let maximumDepth = 64

    let line: Int
    private let source: Source

    /// Reads an object.
    init(
        json bytes: [UInt8], line: Int, maximumBytes: Int = ImportBuffer.maximumRecordBytes
    ) throws(Problem) {
        let root = try Self.parse(bytes, maximumBytes: maximumBytes)
        guard root.kind == .object else { throw Problem("isn't a JSON object") }
        self.init(root, line: line)
    }

    init(_ value: JSONValue, line: Int) {
        self.line = line
        source = .json(value)
    }

    init(row fields: [String?], columns: [String: Int], line: Int) {
        self.line = line
        source = .row(fields, columns: columns)
    }

    private static func parse(
        _ bytes: [UInt8], maximumBytes: Int = ImportBuffer.maximumRecordBytes
    ) throws(Problem) -> JSONValue {
        do throws(StrictJSONError) {
            return try JSONDocument(
                bytes, limits: JSONLimits(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
            ).root
        } catch {
            switch error.code {
            case .duplicateMember: throw Problem("names a member twice")
            case .invalidUTF8: throw Problem("isn't in UTF-8")
            case .nullCharacter: throw Problem("has a text with U+0000")
            case .tooLarge: throw Problem(ImportRecord.long(maximumBytes))
            case .malformed, .tooDeep:
                throw Problem("isn't valid JSON, at byte \(error.offset + 1) of the object")
            }
        }
    }

    /// Whether there is a member of this name.
    func has(_ name: String) -> Bool {
        switch source {
        case .json(let value): value[name] != nil
        case .row(_, let columns): columns[name] != nil
        }
    }

    /// Returns a text or a number; nil for an empty text, for null, and for a member that isn't there.
    func text(_ name: String) -> String? {
        switch source {
        case .json(let value):
            guard let member = value[name] else { return nil }
            if let number = member.int64 { return "\(number)" }
            return member.string.flatMap { $0.isEmpty ? nil : $0 }
        case .row(let fields, let columns): return columns[name].flatMap { fields[$0] }
        }
    }

    /// Reads true or false as JSON, PostgreSQL and spreadsheets write them; nil for anything else.
    func flag(_ name: String) -> Bool? {
        if case .json(let value) = source, let flag = value[name]?.bool { return flag }
        return switch text(name)?.lowercased() {
        case "true", "t", "yes", "1": true
        case "false", "f", "no", "0": false
        default: nil
        }
    }

    /// Whether a flag is true. A text that can't be read is a problem, because an account could open by it.
    func isTrue(_ name: String) throws(Problem) -> Bool {
        guard let flag = flag(name) else {
            guard text(name) == nil else { throw Problem("has a \(name) that is neither true nor false") }
            return false
        }
        return flag
    }

    func time(_ name: String) -> Timestamp? { text(name).flatMap(ImportTime.parse) }

    /// Returns a member that is an object.
    func fields(_ name: String) throws(Problem) -> ImportFields? {
        guard let value = try json(name), value.kind == .object else { return nil }
        return ImportFields(value, line: line)
    }

    /// Returns the objects in a member that is a list.
    func list(_ name: String) throws(Problem) -> [ImportFields] {
        guard let value = try json(name) else { return [] }
        return value.elements.filter { $0.kind == .object }.map { ImportFields($0, line: line) }
    }

    /// Returns the texts in a member that is a list.
    func texts(_ name: String) throws(Problem) -> [String] {
        try json(name)?.elements.compactMap(\.string) ?? []
    }

    /// Returns a member of any kind. In a row it is the JSON text of a field.
    private func json(_ name: String) throws(Problem) -> JSONValue? {
        switch source {
        case .json(let value): return value[name]
        case .row:
            guard let text = text(name) else { return nil }
            return try Self.parse(Array(text.utf8))
        }
    }

    /// Returns the id of the person, which every person must have.
    func id(_ name: String) throws(Problem) -> String {
        guard let id = text(name), id.utf8.count <= FormerID.maximumLength, !id.utf8.contains(0) else {
            throw Problem("has no \(name)")
        }
        return id
    }
}

/// The times that other services write.
enum ImportTime {
    /// Reads RFC 3339, or milliseconds since 1970; nil for anything else. A space may separate date and time, and a
    /// time without a zone is in UTC.
    static func parse(_ text: String) -> Timestamp? {
        if let milliseconds = Int64(text) {
            // From 2000 on: smaller numbers are seconds, dates without hyphens or flags.
            guard (946_684_800_000...253_402_300_799_999).contains(milliseconds) else { return nil }
            return Timestamp(microseconds: milliseconds * 1_000)
        }
        var rest = Substring(text).utf8
        func digits(_ count: Int) -> Int64? {
            guard rest.count >= count else { return nil }
            var number: Int64 = 0
            for byte in rest.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return number
        }
        func take(_ characters: String) -> Bool {
            guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), take("Tt "),
            let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var microseconds: Int64 = 0
        if take(".,") {
            var count = 0
            while let digit = digits(1) {
                if count < 6 { microseconds = microseconds * 10 + digit }
                count += 1
            }
            guard count > 0 else { return nil }
            for _ in count..<max(count, 6) { microseconds *= 10 }
        }
        var offset: Int64 = 0
        if let sign = rest.first, take("+-") {
            guard let hours = digits(2) else { return nil }
            let minutes = rest.isEmpty ? 0 : (take(":") ? digits(2) : digits(2))
            guard let minutes else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        } else {
            _ = take("Zz")
        }
        guard rest.isEmpty else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Timestamp(microseconds: seconds * 1_000_000 + microseconds)
    }

    /// Days since 1970 in the Gregorian calendar. Years begin with March, so that the leap day is the last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// Writes RFC 3339 in UTC with microseconds, as exports have it.
    static func text(_ moment: Timestamp) -> String {
        let seconds = moment.secondsSince1970
        let micros = moment.microseconds - seconds * 1_000_000
        let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let ofDay = seconds - day * 86_400
        // The inverse of `days`.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * ofYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ number: Int64, _ count: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(ofYear - (153 * marchMonth + 2) / 5 + 1, 2))"
        let clock = "\(padded(ofDay / 3_600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
        return "\(date)T\(clock).\(padded(micros, 6))Z"
    }
}
