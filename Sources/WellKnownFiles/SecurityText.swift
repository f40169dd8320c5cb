/// The content of a `security.txt` (RFC 9116).
///
/// A clear-text signature around it is taken off and not verified (§2.3).
package struct SecurityText: Sendable, Hashable {
    /// The addresses for reports, in the order of preference. At least one.
    package let contacts: [String]
    /// The time after which nobody should use the file, in seconds since 1970.
    package let expires: Int64
    /// The addresses at which the file says that it is served. Empty if it says nothing.
    package let canonical: [String]
    /// Fields that neither RFC 9116 nor CSAF names. Readers ignore them (§2.4), so they are no error here either.
    package let unknownFields: [String]

    /// Fields whose value is an address, in lowercase. CSAF 2.0 §7.1.8 has registered one more.
    private static let addressFields: Set = [
        "acknowledgments", "canonical", "contact", "csaf", "encryption", "hiring", "policy",
    ]

    package init(_ bytes: [UInt8]) throws(WellKnownFileError) {
        var contacts: [String] = []
        var expires: Int64?
        var canonical: [String] = []
        var unknownFields: [String] = []
        var hasLanguages = false
        for field in try Self.fields(of: bytes) {
            switch field.name.lowercased() {
            case "expires":
                try Self.refuse(field, if: expires != nil)
                expires = try Self.time(field)
            case "preferred-languages":
                try Self.refuse(field, if: hasLanguages)
                try Self.checkLanguages(field)
                hasLanguages = true
            case let name where Self.addressFields.contains(name):
                try Self.checkAddress(field)
                if name == "contact" { contacts.append(field.value) }
                if name == "canonical" { canonical.append(field.value) }
            default: unknownFields.append(field.name)
            }
        }
        guard !contacts.isEmpty else {
            throw WellKnownFileError(
                .missing, "has no field Contact: where to report, as in Contact: mailto:security@example.com")
        }
        guard let expires else {
            throw WellKnownFileError(
                .missing, "has no field Expires: until when it is good, as in Expires: 2030-01-31T12:00:00Z")
        }
        self.contacts = contacts
        self.expires = expires
        self.canonical = canonical
        self.unknownFields = unknownFields
    }

    /// Whether the time of `Expires` has come. Readers then should not use the file any more (§2.5.5).
    /// - Parameter now: Seconds since 1970.
    package func isExpired(at now: Int64) -> Bool { expires <= now }

    private static func refuse(_ field: Field, if isRepeated: Bool) throws(WellKnownFileError) {
        guard isRepeated else { return }
        throw WellKnownFileError(.repeated, at: field.place, "has a second \(field.name); only one may be there")
    }

    private static func time(_ field: Field) throws(WellKnownFileError) -> Int64 {
        guard let seconds = InternetTime.seconds(field.value) else {
            throw WellKnownFileError(
                .malformed, at: field.place, field.value, "is no time of RFC 3339, as in 2030-01-31T12:00:00Z")
        }
        return seconds
    }

    /// Checks a list of language tags by their form (RFC 5646 §2.1).
    private static func checkLanguages(_ field: Field) throws(WellKnownFileError) {
        for tag in field.value.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = tag.drop { $0 == " " }.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.first?.utf8.allSatisfy(\.isLetter) == true,
                parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit } }
                )
            else {
                throw WellKnownFileError(
                    .malformed, at: field.place, field.value, "is no list of languages, as in en, de-CH")
            }
        }
    }

    private static func checkAddress(_ field: Field) throws(WellKnownFileError) {
        let value = field.value
        guard URIForm.isURI(value) else {
            let advice =
                value.contains("@") && !value.contains(" ")
                ? "for mail write mailto:\(value)" : "write https://…, mailto:… or tel:…"
            throw WellKnownFileError(.malformed, at: field.place, value, "is no address with a scheme; \(advice)")
        }
        let isWeb = ["http:", "https:"].contains { value.lowercased().hasPrefix($0) }
        guard !isWeb || URIForm.isWebAddress(value) else {
            throw WellKnownFileError(.malformed, at: field.place, value, "must begin with https://")
        }
    }
}

// MARK: Lines

extension SecurityText {
    /// A line with a name, a colon and a value.
    private struct Field {
        let place: String
        let name: String
        let value: String

        /// Nil for a line that is blank or a comment.
        init?(_ line: String, number: Int) throws(WellKnownFileError) {
            guard line.contains(where: { $0 != " " && $0 != "\t" }), !line.hasPrefix("#") else { return nil }
            place = "line \(number)"
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                throw WellKnownFileError(
                    .malformed, at: place, line,
                    "is no field; write a name, a colon, a space and a value, or begin a comment with #")
            }
            name = String(line[..<colon])
            let rest = line[line.index(after: colon)...]
            guard rest.first == " " else {
                throw WellKnownFileError(.malformed, at: place, line, "needs a space behind the colon")
            }
            let trimmed = rest.drop { $0 == " " || $0 == "\t" }
            let end = trimmed.lastIndex { $0 != " " && $0 != "\t" }
            value = end.map { String(trimmed[...$0]) } ?? ""
            guard !value.isEmpty else { throw WellKnownFileError(.malformed, at: place, line, "has no value") }
        }
    }

    private static func fields(of bytes: [UInt8]) throws(WellKnownFileError) -> [Field] {
        _ = try PlainText.read(bytes)
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            let line = $1.last == UInt8(ascii: "\r") ? $1.dropLast() : $1
            return (number: $0 + 1, text: String(decoding: line, as: UTF8.self))
        }
        if lines.first?.text == "-----BEGIN PGP SIGNED MESSAGE-----" { lines = try signed(lines) }
        var fields: [Field] = []
        for line in lines {
            if let field = try Field(line.text, number: line.number) { fields.append(field) }
        }
        return fields
    }

    /// The text in a clear-text signature (RFC 9580 §7): between the blank line after the headers and the signature, with
    /// the dashes taken off that protect other dashes.
    private static func signed(
        _ lines: [(number: Int, text: String)]
    ) throws(WellKnownFileError) -> [(number: Int, text: String)] {
        guard let blank = lines.firstIndex(where: { $0.text.isEmpty }),
            let end = lines.firstIndex(where: { $0.text == "-----BEGIN PGP SIGNATURE-----" }), blank < end,
            lines[end...].contains(where: { $0.text == "-----END PGP SIGNATURE-----" })
        else {
            throw WellKnownFileError(
                .malformed, at: "line 1", "begins a signed text, and its signature is missing or not whole")
        }
        return lines[blank..<end].map { ($0.number, $0.text.hasPrefix("- ") ? String($0.text.dropFirst(2)) : $0.text) }
    }
}
