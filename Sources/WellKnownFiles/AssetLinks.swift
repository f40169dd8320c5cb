/// The content of an `assetlinks.json`: the permissions that a host gives to Android apps and other sites (Google,
/// "Digital Asset Links", statement lists).
///
/// Members that are not named here are kept and not read.
package struct AssetLinks: Sendable, Hashable {
    /// One element of the list.
    package enum Statement: Sendable, Hashable {
        case app(package: String)
        case site(String)
        /// A target of a namespace that Google's documentation does not name.
        case other(namespace: String)
        /// The address of a file with more statements.
        case include(String)
    }

    package let statements: [Statement]

    package init(_ bytes: [UInt8]) throws(WellKnownFileError) {
        let elements = try PlacedValue(file: bytes).elements(
            #"must be a list of statements, such as [{"relation": [...], "target": {...}}]"#)
        guard !elements.isEmpty else { throw WellKnownFileError(.missing, "has no statement") }
        var statements: [Statement] = []
        for element in elements { statements.append(try Self.statement(element)) }
        self.statements = statements
    }

    private static func statement(_ element: PlacedValue) throws(WellKnownFileError) -> Statement {
        let element = try element.object("must be a statement: an object with `relation` and `target`")
        if let include = element.member("include") {
            let address = try include.text()
            guard URIForm.isWebAddress(address) else {
                throw WellKnownFileError(.malformed, at: include.place, address, "is no https:// address")
            }
            return .include(address)
        }
        try checkRelation(
            try element.required("relation", #"what is allowed, as in ["delegate_permission/common.handle_all_urls"]"#))
        return try target(try element.required("target", "the app or site that it is allowed").object())
    }

    /// Checks a list of relations, each a kind and a detail with a slash between them.
    private static func checkRelation(_ relation: PlacedValue) throws(WellKnownFileError) {
        let texts = try relation.elements("must be a list of texts")
        guard !texts.isEmpty else { throw WellKnownFileError(.missing, at: relation.place, "is empty") }
        for element in texts {
            let text = try element.text()
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isOfRelation) }) else {
                throw WellKnownFileError(
                    .malformed, at: element.place, text,
                    "is no relation; one is delegate_permission/common.get_login_creds")
            }
        }
    }

    private static func isOfRelation(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func target(_ target: PlacedValue) throws(WellKnownFileError) -> Statement {
        let namespace = try target.required("namespace", "android_app or web").text()
        switch namespace {
        case "android_app": return try app(target)
        case "web":
            let site = try target.required("site", "the root of a site, as in https://www.example.com")
            let text = try site.text()
            guard URIForm.isOrigin(text) else {
                throw WellKnownFileError(
                    .malformed, at: site.place, text, "is no root of a site; one is https://www.example.com")
            }
            return .site(text)
        default: return .other(namespace: namespace)
        }
    }

    private static func app(_ target: PlacedValue) throws(WellKnownFileError) -> Statement {
        let name = try target.required("package_name", "the app's name, as in com.example.juice")
        let text = try name.text()
        guard isPackageName(text) else {
            throw WellKnownFileError(
                .malformed, at: name.place, text, "is no package name; one is com.example.juice")
        }
        let fingerprints = try target.required("sha256_cert_fingerprints", "the certificates that sign the app")
        let elements = try fingerprints.elements("must be a list of fingerprints")
        guard !elements.isEmpty else { throw WellKnownFileError(.missing, at: fingerprints.place, "is empty") }
        for element in elements {
            let text = try element.text()
            guard isFingerprint(text) else {
                throw WellKnownFileError(
                    .malformed, at: element.place, text,
                    "is no SHA-256 fingerprint; write 32 bytes in capital hexadecimal digits with colons between them, "
                        + "as keytool -list -v prints them")
            }
        }
        return .app(package: text)
    }

    /// Two or more parts between dots, each a letter and then letters, digits and underscores.
    private static func isPackageName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { part in
                part.utf8.first?.isLetter == true
                    && part.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
            }
    }

    private static func isFingerprint(_ text: String) -> Bool {
        let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
        let digits = Set("0123456789ABCDEF".utf8)
        return bytes.count == 32 && bytes.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(digits.contains) }
    }
}
