import Foundation
import Testing

@testable import SiwaDoctor

@Suite("A look-up of TXT records")
struct TextLookupTests {
    private static let header = ";; ->>HEADER<<- opcode: QUERY, status: "

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let output: String
        let answer: TextAnswer
    }

    @Test(
        "reads what dig prints",
        arguments: [
            Case(
                testDescription: "one", output: "\(header)NOERROR, id: 1\nmail.example.com. 300 IN TXT \"v=spf1 -all\"",
                answer: .texts(["v=spf1 -all"])),
            Case(
                testDescription: "several, in pieces",
                output: "\(header)NOERROR, id: 1\na.b. 300 IN TXT \"v=spf1 \" \"-all\"\na.b. 300 IN TXT \"\" \"x\"",
                answer: .texts(["v=spf1 -all", "x"])),
            Case(
                testDescription: "behind an alias",
                output: "\(header)NOERROR, id: 1\na.b.\t300\tIN\tCNAME\tc.d.\nc.d.\t300\tIN\tTXT\t\"x\"",
                answer: .texts(["x"])),
            Case(
                testDescription: "escaped",
                output: #"\#(header)NOERROR, id: 1"# + "\n" + #"a.b. 1 IN TXT "\"\\\195\188\;""#,
                answer: .texts(["\"\\ü;"])),
            Case(testDescription: "no such name", output: "\(header)NXDOMAIN, id: 1", answer: .texts([])),
            Case(testDescription: "no such record", output: "\(header)NOERROR, id: 1", answer: .texts([])),
            Case(
                testDescription: "the server has failed", output: "\(header)SERVFAIL, id: 1",
                answer: .failed("the name server says SERVFAIL")),
            Case(
                testDescription: "the second server knows",
                output: "\(header)SERVFAIL, id: 1\n\(header)NOERROR, id: 1\na.b. 1 IN TXT \"x\"", answer: .texts(["x"])),
            Case(
                testDescription: "no server", output: ";; communications error\n;; no servers could be reached",
                answer: .failed("no name server answers (dig: no servers could be reached)")),
            Case(testDescription: "nothing", output: "", answer: .failed("no name server answers (dig: no output)")),
        ])
    func reading(_ example: Case) {
        #expect(TextLookup.read(example.output) == example.answer)
    }

    @Test("runs the program that is first in PATH")
    func program() async throws {
        try await RecordedDig.with(["a.b": .texts(["x \"y\" ü"])]) { lookup in
            #expect(await lookup.texts(of: "a.b") == .texts(["x \"y\" ü"]))
            #expect(await lookup.texts(of: "c.d") == .texts([]))
        }
    }

    @Test("says that the program is not there")
    func absence() async {
        #expect(
            await TextLookup(path: "/nowhere").texts(of: "a.b")
                == .failed("`dig` is not installed (on Debian it is in bind9-dnsutils)"))
    }
}
