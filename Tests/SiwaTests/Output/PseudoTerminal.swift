import Foundation
import Testing

/// A terminal that nobody sits at: what is written to its end for programs can be read at the other.
final class PseudoTerminal {
    /// The end at which a program reads and writes.
    let program: FileHandle
    private let reader: FileHandle

    init() throws {
        var (primary, secondary) = (Int32(-1), Int32(-1))
        try #require(unsafe openpty(&primary, &secondary, nil, nil, nil) == 0)
        reader = FileHandle(fileDescriptor: primary, closeOnDealloc: true)
        program = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
        // As it is written: a terminal would make a return of each line feed.
        var attributes = termios()
        try #require(unsafe tcgetattr(secondary, &attributes) == 0)
        attributes.c_oflag &= ~tcflag_t(OPOST)
        try #require(unsafe tcsetattr(secondary, TCSANOW, &attributes) == 0)
    }

    /// Returns the text that was written, after the last program that had it open has closed it.
    func textToEnd() throws -> String {
        try program.close()
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            // At the end Linux answers EIO, and others nothing more.
            let count = unsafe read(reader.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
