import AccountService
import CommandIO
import Foundation

/// Writes the people of a transfer, a line each, to a file that only its owner can read, or to standard output; sealed
/// where a recipient is named.
final class TransferFileWriter {
    private let path: String?
    private let draft: String
    private let handle: FileHandle
    private var sealer: AgeSealer?

    /// - Parameter path: A file, or `-` for standard output. The file is replaced when everything is written.
    init(_ path: String, sealedFor recipient: AgeRecipient?) throws {
        let draft = path + ".new"
        self.draft = draft
        if path == "-" {
            self.path = nil
            handle = .standardOutput
        } else {
            self.path = path
            if unsafe unlink(draft) != 0, errno != ENOENT { throw Failure("the file \(draft) cannot be replaced") }
            let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
            guard descriptor >= 0 else { throw Failure("the file \(path) cannot be written") }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        guard let recipient else { return }
        let sealer = try AgeSealer(for: recipient)
        self.sealer = sealer
        try put(sealer.begin())
    }

    func write(_ lines: [String]) throws {
        let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        if sealer == nil { try put(bytes) } else { try put(sealer?.seal(bytes) ?? []) }
    }

    func finish() throws {
        try put(sealer?.finish() ?? [])
        guard let path else { return }
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
        guard unsafe rename(draft, path) == 0 else { throw Failure("the file \(path) cannot be written") }
    }

    private func put(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw Failure("\(path.map { "the file \($0)" } ?? "standard output") cannot be written")
        }
    }
}

/// Reads the people of a transfer, a line each, from a file or standard input; sealed with age, or not.
struct TransferFileReader {
    private static let chunk = 65_536

    private let name: String
    private let handle: FileHandle
    private var opener: AgeOpener?
    /// Bytes that are read and belong to no whole line yet.
    private var rest: [UInt8] = []
    private var number = 0
    private var isAtEnd = false

    /// - Parameter path: A file, or `-` for standard input.
    init(_ path: String, identity: AgeIdentity?) throws {
        name = path == "-" ? "standard input" : "the file \(path)"
        if path == "-" {
            handle = .standardInput
        } else {
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw Failure("the file \(path) cannot be read")
            }
            self.handle = handle
        }
        let head = try read()
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

    /// Returns the next lines, at most so many; nil at the end.
    mutating func next(_ limit: Int) throws -> [TransferLine]? {
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
        return lines.isEmpty ? nil : lines
    }

    private mutating func take(_ line: ArraySlice<UInt8>, into lines: inout [TransferLine]) throws {
        number += 1
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
        do {
            lines.append(try TransferLine(parsing: line))
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
