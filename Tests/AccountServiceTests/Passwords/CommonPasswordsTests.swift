import Foundation
import Testing

@testable import AccountService

@Suite("The list of common passwords")
struct CommonPasswordsTests {
    private static var list: [String] {
        get throws {
            let file = URL(filePath: #filePath)
                .appending(path: "../../../../Sources/CCommonPasswords/common-passwords.txt").standardizedFileURL
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    @Test("Has lower-case words of at least 8 characters, each once, in the order of their bytes")
    func form() throws {
        let list = try Self.list
        #expect(list.count > 40_000)
        #expect(list.allSatisfy { $0.utf8.count >= 8 && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        #expect(list.allSatisfy { $0 == $0.lowercased() && !$0.contains("@") })
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(list.count { $0.utf8.count >= 15 } > 5_000)
    }

    @Test("Words of the whole list are found in any case, and a shortened or lengthened word is not")
    func lookUp() throws {
        let list = try Self.list
        let some = stride(from: 0, to: list.count, by: 97).map { list[$0] } + [list[1], list[list.count - 1]]
        let words = Set(list)
        for word in some {
            #expect(CommonPasswords.contains(word))
            #expect(CommonPasswords.contains(word.uppercased()))
            for part in [String(word.dropLast()), String(word.dropFirst()), word + "\n"] where !words.contains(part) {
                #expect(!CommonPasswords.contains(part))
            }
        }
    }

    @Test(
        "The list has words of each source",
        arguments: [
            "1qaz2wsx3edc4rfv", "Password1", "friend of emily", "thisisapassword", "manchesterunited", "BASEBALL",
        ])
    func known(word: String) {
        #expect(CommonPasswords.contains(word))
    }

    @Test(
        "Other texts are not in the list",
        arguments: [
            "", "\n", "a", "correct horse battery staple", "1qaz2wsx3edc4rfv\n", "\n1qaz2wsx3edc4rfv",
            "baseball\nbaseball1", "~~~~~~~~~~~~~~~~~~", "\u{10FFFF}", "\u{FF}\u{FF}",
        ])
    func unknown(text: String) {
        #expect(!CommonPasswords.contains(text))
    }
}
