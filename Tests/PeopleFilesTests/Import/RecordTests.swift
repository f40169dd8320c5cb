import AccountService
import CommandIO
import Foundation
import Testing

@testable import PeopleFiles

@Suite("Records of imported files")
struct RecordTests {
    static func withFile<Result>(_ bytes: some Sequence<UInt8>, _ work: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-import-\(UUID())").path
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try work(path)
    }

    private func json(_ text: String) throws -> [String] {
        try Self.withFile(text.utf8) { path in
            var records = JSONRecords(try ImportInput(path))
            var read: [String] = []
            while let record = try records.next() {
                switch record {
                case .json(let bytes, let line): read.append("\(line) \(String(decoding: bytes, as: UTF8.self))")
                case .fault(let problem, let line): read.append("\(line) fault: \(problem)")
                case .row: Issue.record("a row")
                }
            }
            return read
        }
    }

    @Test("objects of a list, of users, and of lines are recognized, each with its line")
    func shapes() throws {
        #expect(try json("[{\"a\":1},\n {\"b\":[{}]}\n]\n") == ["1 {\"a\":1}", "2 {\"b\":[{}]}"])
        #expect(
            try json("{\"users\": [\n{\n \"a\": \"}\\\"{\"\n},\n{\"b\":2}\n]}\n")
                == ["2 {\n \"a\": \"}\\\"{\"\n}", "5 {\"b\":2}"])
        #expect(try json("{\"a\":1}\n\n{\"b\":2}") == ["1 {\"a\":1}", "3 {\"b\":2}"])
        #expect(try json("\u{FEFF}[]") == [])
        #expect(try json("") == [])
    }

    @Test("a damaged object is reported with its line, and the next one is read")
    func faults() throws {
        #expect(
            try json("{\"users\": [\n{\"a\":\"1},\n{\"b\":2},\n7,\n{\"c\":3}\n]}")
                == [
                    "2 fault: has a text without an end", "3 {\"b\":2}", "4 fault: isn't an object", "5 {\"c\":3}",
                ])
        #expect(
            try json("{\"users\": [\n{\"a\":{\"x\":1},\n{\"b\":2},\n{\"c\":3}},\n{\"d\":4}\n]}")
                == [
                    "2 fault: has a bracket without an end", "3 {\"b\":2}", "4 {\"c\":3}", "4 fault: isn't an object",
                    "5 {\"d\":4}",
                ])
        #expect(
            try json("[{\"a\":1},{\"b\":")
                == ["1 {\"a\":1}", "1 fault: has no end: the file is cut off"])
        #expect(try json("[{\"a\":1}") == ["1 {\"a\":1}", "1 fault: the list has no end: the file is cut off"])
        #expect(try json("{\"a\":1}\nnonsense\n{\"b\":2}") == ["1 {\"a\":1}", "2 nonsense", "3 {\"b\":2}"])
    }

    @Test(
        "a record with a field of 10 MB is reported and skipped, and the next one is read",
        arguments: ["lines", "list", "rows"])
    func long(shape: String) throws {
        let long = String(repeating: "x", count: 10_000_000)
        switch shape {
        case "lines":
            #expect(
                try json("{\"a\":\"\(long)\"}\n{\"b\":2}\n") == ["1 fault: is longer than 1 MiB", "2 {\"b\":2}"])
        case "list":
            #expect(
                try json("[{\"a\":\"\(long)\"},\n{\"b\":2}]") == ["1 fault: is longer than 1 MiB", "2 {\"b\":2}"])
        default:
            #expect(try csv("a,b\n1,\"\(long)\n9,9\"\n3,4\n") == ["2 fault: is longer than 1 MiB", "4 3|4"])
        }
    }

    private func csv(_ text: String) throws -> [String] { try csv(Array(text.utf8)) }

    private func csv(_ bytes: [UInt8]) throws -> [String] {
        try Self.withFile(bytes) { path in
            var records = try CSVRecords(try ImportInput(path))
            var read: [String] = []
            while let record = try records.next() {
                switch record {
                case .row(let fields, let line):
                    read.append("\(line) \(fields.map { $0 ?? "nil" }.joined(separator: "|"))")
                case .fault(let problem, let line): read.append("\(line) fault: \(problem)")
                case .json: Issue.record("an object")
                }
            }
            return read
        }
    }

    @Test("rows have quotation marks, separators and line breaks in their fields")
    func rows() throws {
        #expect(
            try csv("a,b\r\n1,\"x, \"\"y\"\"\"\r\n\r\n\"2\nand more\",\n3,z")
                == ["2 1|x, \"y\"", "4 2\nand more|nil", "6 3|z"])
    }

    @Test("rows with the wrong number of fields, wrong encodings and open quotation marks are reported")
    func brokenRows() throws {
        #expect(
            try csv("a,b\n1\n1,2,3\n4,5\n")
                == [
                    "2 fault: has 1 field for 2 columns", "3 fault: has 3 fields for 2 columns", "4 4|5",
                ])
        #expect(
            try csv(Array("a,b\n1,".utf8) + [0xE9] + Array("\n4,5\n".utf8))
                == ["2 fault: has a field that isn't in UTF-8", "3 4|5"])
        #expect(try csv("a,b\n1,\0\n4,5\n") == ["2 fault: has a field with U+0000", "3 4|5"])
        #expect(
            try csv("a,b\n1,\"2\n3,4\n") == ["2 fault: has a field in quotation marks without an end"])
        #expect(
            try csv("a,b\n1,5\" wide\n3,\"4\"\n")
                == ["2 fault: has a quotation mark inside a field without them", "3 3|4"])
        #expect(throws: Failure.self) { try csv("a,a\n") }
        #expect(throws: Failure.self) { try csv([0xFF, 0xFE, 0x61, 0x00]) }
    }

    @Test("people of a transfer are read as records are, and a fault names its line")
    func transfer() throws {
        func read(_ text: String) throws -> Int {
            try Self.withFile(text.utf8) { path in
                var reader = try TransferFileReader(path, identity: nil)
                var people = 0
                while let lines = try reader.next(2) { people += lines.count }
                return people
            }
        }
        let person = """
            {"account":"acc_01kb2m4q8r5s7t9v0w1x2y3z4a","transfer_sub":"s","from":"JUICETEAM1","to":"CIDERTEAM2"}

            """
        let whole = "\(person)\r\n\(String(repeating: person, count: 4))"
        #expect(try read(whole + "{\"people\":5}") == 5)
        #expect(try read("\u{FEFF}\(whole){\"people\":5}\n\n") == 5)
        for (text, problem) in [
            ("\n\(person)nonsense\n\(person)", ", line 3: a line of the file is no JSON object"),
            ("{\"people\":0}\n\(person)", ", line 2: comes after the last line, which names the number of people"),
            (person + String(repeating: "x", count: 100_000), ", line 2: a line is too long"),
            (whole, " is not complete: its last line should name 5 people"),
        ] {
            let failure = #expect(throws: Failure.self) { try read(text) }
            #expect(failure?.problem.hasSuffix(problem) == true, "\(failure?.problem ?? "")")
        }
    }

    @Test(
        "times are read in the forms that services write",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29 12:34:56.789+00", 1_709_210_096_789_000),
            ("2019-12-06T18:36:12.412Z", 1_575_657_372_412_000), ("1600000000000", 1_600_000_000_000_000),
            ("2024-01-02 03:04:05.678901", 1_704_164_645_678_901), ("2024-01-02T03:04:05+05:30", 1_704_144_845_000_000),
            ("2024-01-02T03:04:05-0800", 1_704_193_445_000_000), ("1969-12-31T23:59:59.999999Z", -1),
        ])
    func times(text: String, microseconds: Int64) throws {
        let time = try #require(ImportTime.parse(text))
        #expect(time.microseconds == microseconds)
        #expect(ImportTime.parse(ImportTime.text(time)) == time)
    }

    @Test(
        "other texts are refused as times",
        arguments: [
            "", "yesterday", "2024-13-01T00:00:00Z", "2024-01-02", "2024-01-02T25:00:00Z", "2024-01-02T03:04:05X",
        ])
    func noTimes(text: String) {
        #expect(ImportTime.parse(text) == nil)
    }
}
