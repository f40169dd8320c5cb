import Foundation
import Testing

@testable import SiwaDoctor

@Suite("A look-up of TXT records")
struct TextLookupTests {
    private static let header = ";; ->>HEADER<<- opcode: QUERY, status: "

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var program = LookupProgram.dig
        let output: String
        let answer: TextAnswer
    }

    private static let rcode = ";; ->>HEADER<<- opcode: QUERY, rcode: "
    private static let sections = """
        , id: 3670
        ;; flags: qr rd ra ; QUERY: 1, ANSWER: 2, AUTHORITY: 0, ADDITIONAL: 0
        ;; QUESTION SECTION:
        ;; a.b.\tIN\tTXT

        ;; ANSWER SECTION:

        """

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
            Case(
                testDescription: "a record that looks like a status",
                output: "\(header)NOERROR, id: 1\na.b. 1 IN TXT \"status: SERVFAIL\"",
                answer: .texts(["status: SERVFAIL"])),
        ])
    func reading(_ example: Case) {
        #expect(LookupProgram.dig.read(example.output) == example.answer)
    }

    @Test(
        "reads what drill, host and resolvectl print",
        arguments: [
            Case(
                testDescription: "drill", program: .drill,
                output:
                    "\(rcode)NOERROR\(sections)alias.b.\t300\tIN\tCNAME\ta.b.\na.b.\t300\tIN\tTXT\t\"v=spf1 \" \"-all\"\n"
                    + "\n;; AUTHORITY SECTION:\n\n;; Query time: 1 msec\n;; MSG SIZE  rcvd: 72",
                answer: .texts(["v=spf1 -all"])),
            Case(
                testDescription: "drill, no such name", program: .drill, output: "\(rcode)NXDOMAIN\(sections)",
                answer: .texts([])),
            Case(
                testDescription: "drill, the server has failed", program: .drill, output: "\(rcode)SERVFAIL\(sections)",
                answer: .failed("the name server says SERVFAIL")),
            Case(
                testDescription: "drill, no server", program: .drill,
                output: "Error: error sending query: Could not send or receive, because of network error",
                answer: .failed(
                    "no name server answers (drill: Error: error sending query: Could not send or receive, because of "
                        + "network error)")),
            Case(
                testDescription: "host", program: .host,
                output: "alias.b is an alias for a.b.\na.b descriptive text \"v=spf1 \" \"-all\"\n"
                    + #"a.b descriptive text "q\"\\ \195\188;""#, answer: .texts(["v=spf1 -all", #"q"\ ü;"#])),
            Case(
                testDescription: "host, no such record", program: .host, output: "a.b has no TXT record",
                answer: .texts([])),
            Case(
                testDescription: "host, no such name", program: .host,
                output: "Host a.b. not found: 3(NXDOMAIN)", answer: .texts([])),
            Case(
                testDescription: "host, the server has failed", program: .host,
                output: "Host a.b not found: 2(SERVFAIL)", answer: .failed("the name server says SERVFAIL")),
            Case(
                testDescription: "host, no server", program: .host,
                output: ";; communications error to 127.0.0.1#53: timed out\n;; no servers could be reached",
                answer: .failed("no name server answers (host: no servers could be reached)")),
            Case(
                testDescription: "resolvectl", program: .resolvectl,
                output: #"a.b IN TXT "v=spf1 " "-all" -- link: eth0"# + "\n" + #"a.b IN TXT "\195\188""#,
                answer: .texts(["v=spf1 -all", "ü"])),
            Case(
                testDescription: "resolvectl, no such name", program: .resolvectl,
                output: "a.b: resolve call failed: 'a.b' not found", answer: .texts([])),
            Case(
                testDescription: "resolvectl, no such record", program: .resolvectl,
                output: "a.b: resolve call failed: 'a.b' does not have any RR of the requested type",
                answer: .texts([])),
            Case(
                testDescription: "resolvectl, no server", program: .resolvectl,
                output: "a.b: resolve call failed: All attempts to contact name servers or networks failed",
                answer: .failed(
                    "no name server answers (resolvectl: a.b: resolve call failed: All attempts to contact name servers "
                        + "or networks failed)")),
        ])
    func otherPrograms(_ example: Case) {
        #expect(example.program.read(example.output) == example.answer)
    }

    @Test("runs the program that is first in PATH")
    func program() async throws {
        try await RecordedDig.with(["a.b": .texts(["x \"y\" ü"])]) { lookup in
            #expect(await lookup.texts(of: "a.b") == .texts(["x \"y\" ü"]))
            #expect(await lookup.texts(of: "c.d") == .texts([]))
        }
    }

    @Test("asks the program that is there, with the name in the place where it wants it")
    func otherProgram() async throws {
        for (program, arguments) in [
            (LookupProgram.drill, "a.b TXT"), (.host, "-t TXT -W 2 a.b."),
            (.resolvectl, "query --type=TXT --legend=no a.b"),
        ] {
            let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-lookup-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: program.rawValue)
            try Data("#!/bin/sh\necho \"$*\"\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            let answer = await TextLookup(path: folder.path).texts(of: "a.b")
            #expect(answer == .failed("no name server answers (\(program.rawValue): \(arguments))"))
        }
    }

    @Test("says that the program is missing")
    func absence() async {
        #expect(
            await TextLookup(path: "/nowhere").texts(of: "a.b")
                == .failed(
                    "none of `dig`, `drill`, `host`, `resolvectl` is installed (on Debian, `dig` is in bind9-dnsutils)")
        )
    }
}
