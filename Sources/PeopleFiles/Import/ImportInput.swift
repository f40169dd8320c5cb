import CommandIO
import Foundation

/// The bytes of a file of people, piece by piece: plain, or sealed with age.
struct ImportInput {
    private static let chunk = 262_144

    /// The name of the file in messages.
    let name: String
    /// The size of the file; nil for standard input.
    let size: Int?
    /// The number of bytes of the file that were read.
    private(set) var consumed = 0
    private let handle: FileHandle
    private var opener: AgeOpener?
    /// The first bytes of the file, which were read to see whether the file is sealed. Nil once ``next()`` has returned them.
    private var first: [UInt8]?
    /// Whether any byte was returned. A byte order mark stands before all others.
    private var hasBegun = false
    private var isAtEnd = false

    /// Opens a file.
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - identity: Opens a file that is sealed with age.
    init(_ path: String, identity: AgeIdentity? = nil) throws {
        if path == "-" {
            name = "standard input"
            size = nil
            handle = .standardInput
        } else {
            name = "the file \(path)"
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw Failure("the file \(path) cannot be read")
            }
            self.handle = handle
            size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        }
        var head = try read()
        // A pipe may give less than the first line at once.
        while head.count < AgeOpener.markLength, !isAtEnd { head += try read() }
        if AgeOpener.isSealed(head) {
            guard let identity else {
                throw Failure("\(name) is sealed with age", hint: "pass --identity-file with the key that opens it")
            }
            var opener = AgeOpener(identity: identity)
            head = try opener.open(head, isLast: isAtEnd)
            self.opener = opener
        } else if identity != nil {
            throw Failure("\(name) is not sealed", hint: "leave out --identity-file")
        }
        first = head
    }

    /// Returns the next bytes, which may be none; nil at the end.
    mutating func next() throws -> [UInt8]? {
        let bytes: [UInt8]
        if let first {
            self.first = nil
            bytes = first
        } else {
            guard !isAtEnd else { return nil }
            let more = try read()
            bytes = try opener?.open(more, isLast: isAtEnd) ?? more
        }
        // A sealed file gives no bytes before a whole chunk of it was read.
        guard !hasBegun, !bytes.isEmpty else { return bytes }
        hasBegun = true
        return try Self.withoutMark(bytes, name)
    }

    /// Removes the byte order mark of UTF-8, and refuses those of other encodings.
    private static func withoutMark(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw Failure("\(name) is in UTF-16", hint: "convert it: iconv -f UTF-16 -t UTF-8 FILE")
        }
        return bytes
    }

    private mutating func read() throws -> [UInt8] {
        do {
            let data = try handle.read(upToCount: Self.chunk) ?? Data()
            isAtEnd = data.isEmpty
            consumed += data.count
            return Array(data)
        } catch {
            throw Failure("\(name) cannot be read")
        }
    }
}

/// The text of one person in a file, or a fault of the file.
package enum ImportRecord: Equatable {
    case json([UInt8], line: Int)
    case row([String?], line: Int)
    case fault(String, line: Int)

    static let cutList = "the list has no end: the file is cut off"
    static let cutObject = "has no end: the file is cut off"
    static let cutField = "has a field in quotation marks without an end"

    /// The fault of a record that is longer than a number of bytes.
    static func long(_ maximumBytes: Int) -> String { "is longer than \(maximumBytes >> 20) MiB" }

    /// The faults after which the rest of the file is missing or can't be read.
    package static let cuts: Set = [cutList, cutObject, cutField]
}

/// The bytes of a file that were read and aren't used yet: at most a piece of the file and one record.
struct ImportBuffer {
    /// The maximum length of a record of another service in bytes.
    static let maximumRecordBytes = 1 << 20

    var input: ImportInput
    /// The maximum length of a record of this file in bytes. A reader skips longer records.
    let maximumRecordBytes: Int
    private(set) var bytes: [UInt8] = []
    /// The first byte that isn't used.
    private(set) var position = 0
    /// The line of ``position``, from 1.
    private(set) var line = 1

    init(_ input: ImportInput, maximumRecordBytes: Int = ImportBuffer.maximumRecordBytes) {
        self.input = input
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// Reads more bytes, and appends them.
    /// - Returns: false at the end of the file.
    mutating func fill() throws -> Bool {
        guard let more = try input.next() else { return false }
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes += more
        return true
    }

    /// Removes the bytes before an index.
    mutating func advance(to index: Int) {
        line += bytes[position..<index].count { $0 == UInt8(ascii: "\n") }
        position = index
    }
}
