import ArgumentParser
import Foundation

/// Reads a small file, such as a token or a key. It refuses larger files.
package enum SmallFile {
    private static let limit = 1 << 20

    package static func text(_ path: String) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure("the file \(path) cannot be read")
        }
        let data: Data
        do {
            data = try handle.read(upToCount: limit) ?? Data()
        } catch {
            throw Failure("the file \(path) cannot be read")
        }
        guard data.count < limit else { throw Failure("the file \(path) is larger than 1 MiB") }
        return String(decoding: data, as: UTF8.self)
    }

    package static func standardInput() throws -> String {
        let data = try FileHandle.standardInput.read(upToCount: limit) ?? Data()
        guard data.count < limit else { throw ValidationError("Standard input is larger than 1 MiB.") }
        return String(decoding: data, as: UTF8.self)
    }
}
