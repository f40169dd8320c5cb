package import AccountService
import CommandIO
import Crypto
import Foundation

/// The last line of a file of people, which names their number. A file that was cut off lacks it.
enum TransferFileEnd {
    /// Returns the line without its end.
    static func text(people: Int) -> String { "{\"people\":\(people)}" }

    /// Returns the number of people that a last line names; nil for another line.
    static func people(in line: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard text.hasPrefix("{\"people\":"), text.hasSuffix("}") else { return nil }
        return Int(text.dropFirst(10).dropLast())
    }
}

/// The result of writing a file of people.
package struct WrittenTransferFile: Sendable {
    /// The number of people in the file.
    package let people: Int
    /// The SHA-256 of the file as it is stored, in hexadecimal digits.
    package let sha256: String
}

/// Writes people to a file that only its owner can read, or to standard output, with a line for each person.
///
/// Transfers and exports of all accounts use it. It writes to a draft beside the file, which ``finish()`` puts in the
/// file's place. If you can't finish a file, call ``discard()``.
package final class TransferFileWriter {
    private let path: String?
    private let draft: String
    private let handle: FileHandle
    private var sealer: AgeSealer?
    private var people = 0
    private var hash = SHA256()

    /// Makes the draft.
    /// - Parameters:
    ///   - path: A file, or `-` for standard output. ``finish()`` replaces a file that exists.
    ///   - recipient: The recipient for whom age seals the file; nil for a file that isn't sealed.
    package init(_ path: String, sealedFor recipient: AgeRecipient?) throws {
        let draft = path + ".new"
        self.draft = draft
        if path == "-" {
            self.path = nil
            handle = .standardOutput
        } else {
            self.path = path
            let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
            guard descriptor >= 0 || errno != EEXIST else {
                throw Failure(
                    "the file \(draft) is in the way",
                    hint: "it may be left from an export that was interrupted, and list people: delete it")
            }
            guard descriptor >= 0 else { throw Failure("the file \(path) cannot be written") }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        guard let recipient else { return }
        let sealer = try AgeSealer(for: recipient)
        self.sealer = sealer
        try put(sealer.begin())
    }

    /// Writes a line for each person.
    package func write(_ lines: [String]) throws {
        try append(lines)
        people += lines.count
    }

    /// Writes lines that the number in the last line leaves out.
    package func write(uncounted lines: [String]) throws { try append(lines) }

    private func append(_ lines: [String]) throws {
        let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        if sealer == nil { try put(bytes) } else { try put(sealer?.seal(bytes) ?? []) }
    }

    /// Writes the last line, and puts the file in its place.
    package func finish() throws -> WrittenTransferFile {
        try append([TransferFileEnd.text(people: people)])
        try put(sealer?.finish() ?? [])
        let written = WrittenTransferFile(people: people, sha256: hash.finalize().hexadecimal)
        guard let path else { return written }
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
        guard unsafe rename(draft, path) == 0 else { throw Failure("the file \(path) cannot be written") }
        return written
    }

    /// Deletes the draft, which holds personal data.
    package func discard() {
        guard path != nil else { return }
        _ = unsafe unlink(draft)
    }

    private func put(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(bytes))
            hash.update(data: bytes)
        } catch {
            throw Failure("\(path.map { "the file \($0)" } ?? "standard output") cannot be written")
        }
    }
}

/// Reads the people of a transfer from a file or from standard input, plain or sealed with age.
package struct TransferFileReader {
    private static let chunk = 65_536

    private let name: String
    private let handle: FileHandle
    private var opener: AgeOpener?
    /// The bytes that were read and are no whole line yet.
    private var rest: [UInt8] = []
    private var number = 0
    private var people = 0
    /// The number of people in the last line; nil until that line was read.
    private var announced: Int?
    private var isAtEnd = false

    /// Opens a file.
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - identity: Opens a file that is sealed with age.
    package init(_ path: String, identity: AgeIdentity?) throws {
        name = path == "-" ? "standard input" : "the file \(path)"
        if path == "-" {
            handle = .standardInput
        } else {
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw Failure("the file \(path) cannot be read")
            }
            self.handle = handle
        }
        var head = try read()
        // A pipe may give less than the first line at once.
        while head.count < AgeOpener.markLength, !isAtEnd { head += try read() }
        guard AgeOpener.isSealed(head) else {
            guard identity == nil else { throw Failure("\(name) is not sealed", hint: "leave --identity-file out") }
            rest = head
            return
        }
        guard let identity else {
            throw Failure("\(name) is sealed with age", hint: "give --identity-file with the key that opens it")
        }
        var opener = AgeOpener(identity: identity)
        rest = try opener.open(head, isLast: isAtEnd)
        self.opener = opener
    }

    /// Returns the next lines; nil at the end.
    /// - Parameter limit: The maximum number of lines.
    /// - Throws: ``Failure`` for a file that is damaged, or that was cut off.
    package mutating func next(_ limit: Int) throws -> [TransferLine]? {
        var lines: [TransferLine] = []
        while lines.count < limit {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                try take(line, into: &lines)
                rest.removeFirst(end + 1)
                continue
            }
            guard !isAtEnd else {
                try take(rest[...], into: &lines)
                rest = []
                break
            }
            guard rest.count <= TransferLine.maximumLength * 40 else { throw problem("a line is too long") }
            let bytes = try read()
            rest += try opener?.open(bytes, isLast: isAtEnd) ?? bytes
        }
        guard lines.isEmpty else { return lines }
        guard announced == people else {
            throw Failure(
                "\(name) is not complete: its last line should name \(people) people",
                hint: "ask the sender for the whole file; what was read is kept")
        }
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>, into lines: inout [TransferLine]) throws {
        number += 1
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
        guard announced == nil else { throw problem("comes after the last line, which names the number of people") }
        if let end = TransferFileEnd.people(in: line) {
            announced = end
            return
        }
        do {
            lines.append(try TransferLine(parsing: line))
            people += 1
        } catch {
            throw problem(error.reason)
        }
    }

    private func problem(_ text: String) -> Failure { Failure("\(name), line \(number): \(text)") }

    private mutating func read() throws -> [UInt8] {
        do {
            let data = try handle.read(upToCount: Self.chunk) ?? Data()
            isAtEnd = data.isEmpty
            return Array(data)
        } catch {
            throw Failure("\(name) cannot be read")
        }
    }
}
