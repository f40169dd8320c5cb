import Testing
import WellKnownFiles

@Suite("A domain association file")
struct DomainAssociationTests {
    @Test(
        "is any text except a web page",
        arguments: [
            Fault(" \r\n", .empty, "is empty"), Fault("\u{FEFF}7B22", .notText, "begins with a byte order mark"),
            Fault("7B\u{0}", .notText, "is not a text in UTF-8"),
            Fault("\n<!DOCTYPE html><html>", .webPage, "is a web page; download the file again"),
        ])
    func refused(fault: Fault) {
        fault.expect(of: .domainAssociation)
    }

    @Test("is refused if it isn't UTF-8")
    func bytes() {
        let error = #expect(throws: WellKnownFileError.self) {
            try WellKnownFile.domainAssociation.check([0xFF, 0xFE])
        }
        #expect(error?.code == .notText)
    }
}

@Suite("A security.txt")
struct SecurityTextTests {
    private static let contact = "Contact: mailto:security@example.com\n"
    private static let expires = "Expires: 2030-01-31T12:00:00Z\n"

    private func read(_ text: String) throws -> SecurityText { try SecurityText(Array(text.utf8)) }

    @Test("has contacts in their order, an end, and fields of RFC 9116 in any order and case")
    func fields() throws {
        let text = try read(
            """
            # Our policy: be kind.\r
            Preferred-Languages: en, de-CH, x-klingon\r
            Contact: https://example.com/report\r
            \t \r
            CONTACT:  mailto:security@example.com \r
            contact: tel:+1-201-555-0123
            Encryption: openpgp4fpr:5f2de5521c63a801ab59ccb603d49de44b29100f
            Acknowledgments: https://example.com/thanks
            Canonical: https://example.com/.well-known/security.txt
            Canonical: https://www.example.com/.well-known/security.txt
            Policy: https://example.com/policy
            Hiring: https://example.com/jobs
            CSAF: https://example.com/.well-known/csaf/provider-metadata.json
            Expires: 2030-01-31T12:00:00Z
            """)
        #expect(
            text.contacts == [
                "https://example.com/report", "mailto:security@example.com", "tel:+1-201-555-0123",
            ])
        #expect(text.canonical.count == 2)
        #expect(text.expires == 1_896_091_200)
        #expect(text.unknownFields.isEmpty)
    }

    @Test("may have unknown fields, and names them")
    func unknown() throws {
        #expect(
            try read(Self.contact + "Acknowledgements: we thank you\n" + Self.expires).unknownFields == [
                "Acknowledgements"
            ])
    }

    @Test("has expired from its Expires time on", arguments: [(1_896_091_199, false), (1_896_091_200, true)])
    func end(now: Int64, isExpired: Bool) throws {
        #expect(try read(Self.contact + Self.expires).isExpired(at: now) == isExpired)
    }

    @Test("may be signed: only the signed text counts, and dash escapes are removed")
    func signed() throws {
        let signature = "-----BEGIN PGP SIGNATURE-----\n\niQ: no field\n-----END PGP SIGNATURE-----\n"
        let head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
        let text = try read(head + Self.contact + "- Expires: 2030-01-31T12:00:00Z\n" + signature)
        #expect(text.contacts == ["mailto:security@example.com"] && text.expires == 1_896_091_200)
        #expect(text.unknownFields.isEmpty)
        for part in [Self.contact + Self.expires, Self.contact + Self.expires + signature.prefix(40)] {
            Fault(head + part, .malformed, at: "line 1", "its signature is missing or not whole")
                .expect(of: .securityText)
        }
    }

    @Test(
        "is refused with the line that is wrong",
        arguments: [
            Fault("\u{FEFF}" + contact + expires, .notText, "begins with a byte order mark"),
            Fault("# nothing\n", .missing, "has no field Contact"),
            Fault(expires, .missing, "has no field Contact"),
            Fault(contact, .missing, "has no field Expires"),
            Fault(contact + expires + expires, .repeated, at: "line 3", "has a second Expires"),
            Fault(
                contact + "Expires: 2030-01-31\n", .malformed, at: "line 2",
                "`2030-01-31` is no time of RFC 3339, as in 2030-01-31T12:00:00Z"),
            Fault(
                expires + "Contact: security@example.com\n", .malformed, at: "line 2",
                "is no address with a scheme; for mail write mailto:security@example.com"),
            Fault(
                expires + "\nContact: the door bell\n", .malformed, at: "line 3", "write https://…, mailto:… or tel:…"),
            Fault(
                expires + "Contact: http://example.com\n", .malformed, at: "line 2", "must begin with https://"),
            Fault(contact + expires + "Policy: https://\n", .malformed, at: "line 3", "must begin with https://"),
            Fault(contact + expires + "Hiring: /jobs\n", .malformed, at: "line 3", "is no address with a scheme"),
            Fault(contact + "Expires:2030-01-31T12:00:00Z\n", .malformed, at: "line 2", "needs a space"),
            Fault(contact + expires + "Policy: \n", .malformed, at: "line 3", "has no value"),
            Fault(contact + expires + "Be kind\n", .malformed, at: "line 3", "is no field; write a name"),
            Fault(contact + expires + ": x\n", .malformed, at: "line 3", "is no field; write a name"),
            Fault(
                contact + expires + "Preferred-Languages: en\nPreferred-Languages: de\n", .repeated, at: "line 4",
                "has a second Preferred-Languages"),
            Fault(
                contact + expires + "Preferred-Languages: English please\n", .malformed, at: "line 3",
                "is no list of languages"),
            Fault(contact + expires + "Preferred-Languages: en,,de\n", .malformed, at: "line 3", "is no list of"),
        ])
    func refused(fault: Fault) {
        fault.expect(of: .securityText)
    }
}
