import Foundation
import Testing

@testable import siwa

@Suite("The addresses that a demo prints")
struct DemoAddressesTests {
    private let addresses = DemoAddresses(DemoPorts(service: 4_000, emulator: 4_010, mail: 2_525), usesTLS: false)

    @Test("is a table of all that can be opened")
    func table() {
        let text = addresses.announcement(
            juice: ".build/debug/juice", mailDomain: "juice.example.com", remarks: ["  A remark."])
        #expect(
            text == """

                Open http://localhost:4000 and sign in with Apple, as Johnny Appleseed or anybody.
                Or sign up with any address and a password: the mail is at http://127.0.0.1:4010/mail/others

                  The account service
                    start page     http://localhost:4000
                    device page    http://localhost:4000/device   (for the codes of apps)

                  Apple, played by the emulator. Nothing leaves this machine.
                    settings       http://127.0.0.1:4010/settings   (what people do at Apple)
                    mail           http://127.0.0.1:4010/mail   (people's inboxes; SMTP on port 2525, from juice.example.com)
                    request log    http://127.0.0.1:4010/emulator/requests/page
                    all the rest   http://127.0.0.1:4010

                  The sample app, in another terminal
                    .build/debug/juice --backend http://localhost:4000

                  A remark.

                Ctrl-C ends both.
                """)
    }

    @Test("names the sample app only if it was built")
    func juice() async throws {
        try await withDataFolder { data in
            let folder = data.path
            let program = folder + "/bin/siwa"
            #expect(DemoAddresses.juice(beside: program, from: folder) == nil)
            #expect(DemoAddresses.juice(beside: nil, from: folder) == nil)
            #expect(DemoAddresses.juice(beside: "siwa", from: folder) == nil)
            let files = FileManager.default
            try files.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
            #expect(
                files.createFile(atPath: folder + "/bin/juice", contents: nil, attributes: [.posixPermissions: 0o755]))
            #expect(DemoAddresses.juice(beside: program, from: folder) == folder + "/bin/juice")
            #expect(DemoAddresses.juice(beside: "bin/siwa", from: folder) == folder + "/bin/juice")
            #expect(DemoAddresses.juice(beside: program, from: "/elsewhere") == folder + "/bin/juice")
        }
    }

    @Test("names the root beside the sample app if there is a certificate")
    func root() {
        let addresses = DemoAddresses(DemoPorts(service: 1, emulator: 2, mail: 3), usesTLS: true)
        let text = addresses.announcement(
            juice: "/opt/juice", rootFile: "/tmp/root.pem", mailDomain: "juice.example.com")
        #expect(text.contains("\n    SSL_CERT_FILE=/tmp/root.pem /opt/juice --backend https://localhost:1\n"))
        #expect(DemoAddresses.absolute("data/root.pem", from: "/home/johnny") == "/home/johnny/data/root.pem")
        #expect(DemoAddresses.absolute("/tmp/root.pem", from: "/home/johnny") == "/tmp/root.pem")
    }

    @Test("says https if there is a certificate, and no sample app if there is none")
    func variants() {
        let addresses = DemoAddresses(DemoPorts(service: 1, emulator: 2, mail: 3), usesTLS: true)
        let text = addresses.announcement(juice: nil, mailDomain: "juice.example.com")
        #expect(text.contains("Open https://localhost:1 and"))
        #expect(text.contains("http://127.0.0.1:2/mail   (people's inboxes; SMTP on port 3"))
        #expect(!text.contains("sample app"))
    }
}
