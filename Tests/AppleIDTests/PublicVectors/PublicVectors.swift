import Foundation
import StrictJSON
import Testing

/// The folder with the files of public test suites, which are not part of this package.
///
/// If the environment variable names none, the suites are reported as not run; the rules they check have tests of their
/// own too. The files come from github.com/C2SP/wycheproof (`testvectors_v1`, into `wycheproof`) and
/// github.com/nst/JSONTestSuite (`test_parsing`, into `jsontestsuite`).
enum PublicVectors {
    static let folder = ProcessInfo.processInfo.environment["SIWA_VECTORS"]
    static let isThere = folder != nil
    static let whereToGetThem: Comment =
        "SIWA_VECTORS names no folder with testvectors_v1 of C2SP/wycheproof and test_parsing of nst/JSONTestSuite"

    static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: try #require(folder)).appending(path: path)))
    }

    /// One test of a Wycheproof file.
    struct Vector {
        let id: Int64
        let comment: String
        /// `valid`, `invalid` or `acceptable`.
        let result: String
        let group: JSONValue
        let test: JSONValue

        func bytes(_ member: String) throws -> [UInt8] {
            try Self.bytes(hex: try #require(test[member]?.string))
        }

        static func bytes(hex text: String) throws -> [UInt8] {
            let digits = Array(text.utf8)
            return try stride(from: 0, to: digits.count, by: 2).map { index in
                try #require(UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16))
            }
        }
    }

    /// All tests of a file, whose own count has to be right.
    static func wycheproof(_ name: String) throws -> [Vector] {
        let root = try JSONDocument(
            read("wycheproof/\(name).json"), limits: JSONLimits(maximumBytes: 8_000_000, maximumDepth: 16)
        ).root
        var vectors: [Vector] = []
        for group in try #require(root["testGroups"]).elements {
            for test in try #require(group["tests"]).elements {
                vectors.append(
                    Vector(
                        id: try #require(test["tcId"]?.int64), comment: try #require(test["comment"]?.string),
                        result: try #require(test["result"]?.string), group: group, test: test))
            }
        }
        #expect(Int64(vectors.count) == root["numberOfTests"]?.int64)
        return vectors
    }
}
