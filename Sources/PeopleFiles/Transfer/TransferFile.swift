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
    private var buffer: ImportBuffer
    private var people = 0
    /// The number of people in the last line; nil until that line was read.
    private var announced: Int?

    /// Opens a file.
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - identity: Opens a file that is sealed with age.
    package init(_ path: String, identity: AgeIdentity?) throws {
        buffer = ImportBuffer(try ImportInput(path, identity: identity))
    }

    /// Returns the next people; nil at the end.
    /// - Parameter limit: The maximum number of people.
    /// - Throws: ``Failure`` for a file that is damaged, or that was cut off.
    package mutating func next(_ limit: Int) throws -> [TransferLine]? {
        var lines: [TransferLine] = []
        while lines.count < limit, let (bytes, number) = try nextLine() {
            if let line = try read(bytes, number: number) { lines.append(line) }
        }
        guard lines.isEmpty else { return lines }
        guard announced == people else {
            throw Failure(
                "\(buffer.input.name) is not complete: its last line should name \(people) people",
                hint: "ask the sender for the whole file; what was read is kept")
        }
        return nil
    }

    /// Returns the next line, without its end, and its number, from 1; nil at the end.
    private mutating func nextLine() throws -> (bytes: ArraySlice<UInt8>, number: Int)? {
        while true {
            if let end = buffer.bytes[buffer.position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.advance(to: end + 1) }
                return (buffer.bytes[buffer.position..<end], buffer.line)
            }
            guard buffer.bytes.count - buffer.position <= TransferLine.maximumLength * 40 else {
                throw problem("a line is too long", number: buffer.line)
            }
            guard try buffer.fill() else { break }
        }
        let rest = buffer.bytes[buffer.position...]
        guard !rest.isEmpty else { return nil }
        defer { buffer.advance(to: rest.endIndex) }
        return (rest, buffer.line)
    }

    /// Reads a line.
    /// - Returns: nil for an empty line, and for the last one, which names the number of people.
    private mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws -> TransferLine? {
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return nil }
        guard announced == nil else {
            throw problem("comes after the last line, which names the number of people", number: number)
        }
        if let end = TransferFileEnd.people(in: line) {
            announced = end
            return nil
        }
        do {
            let person = try TransferLine(parsing: line)
            people += 1
            return person
        } catch {
            throw problem(error.reason, number: number)
        }
    }

    private func problem(_ text: String, number: Int) -> Failure {
        Failure("\(buffer.input.name), line \(number): \(text)")
    }
}
