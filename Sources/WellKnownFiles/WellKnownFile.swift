/// A file that others look for on a host under `/.well-known`, and that the operator of the host writes.
package enum WellKnownFile: String, CaseIterable, Sendable {
    /// Tells Apple's systems which apps share passwords and links with the host.
    case appSiteAssociation = "apple-app-site-association"
    /// Tells Android which apps and sites share passwords and links with the host.
    case assetLinks = "assetlinks.json"
    /// Shows Apple that the host belongs to a developer account. Apple's developer portal hands it out.
    case domainAssociation = "apple-developer-domain-association.txt"
    /// Tells people where to report a vulnerability.
    case securityText = "security.txt"

    /// The maximum size of a file, in bytes. It is Apple's limit for an `apple-app-site-association`; no other file
    /// here needs more.
    package static let maximumBytes = 131_072

    /// The path of the file on every host.
    package var path: String { "/.well-known/\(rawValue)" }

    /// The media type with which the file is served.
    package var contentType: String {
        switch self {
        case .appSiteAssociation, .assetLinks: "application/json"
        case .domainAssociation: "text/plain"
        // RFC 9116 §3 asks for the character set.
        case .securityText: "text/plain; charset=utf-8"
        }
    }

    /// Checks the shape of a file's content.
    /// - Throws: An error that names the first member or line that is wrong.
    package func check(_ bytes: [UInt8]) throws(WellKnownFileError) -> CheckedFile {
        guard bytes.count <= Self.maximumBytes else {
            throw WellKnownFileError(.tooLarge, "is larger than \(Self.maximumBytes) bytes")
        }
        let content: CheckedFile.Content =
            switch self {
            case .appSiteAssociation: .appSiteAssociation(try AppSiteAssociation(bytes))
            case .assetLinks: .assetLinks(try AssetLinks(bytes))
            case .domainAssociation: .domainAssociation(try DomainAssociation(bytes))
            case .securityText: .securityText(try SecurityText(bytes))
            }
        return CheckedFile(bytes: bytes, content: content)
    }
}

/// A well-known file whose content has the right shape. Only ``WellKnownFile/check(_:)`` makes it.
package struct CheckedFile: Sendable, Hashable {
    /// The parts of a file that were read.
    package enum Content: Sendable, Hashable {
        case appSiteAssociation(AppSiteAssociation)
        case assetLinks(AssetLinks)
        case domainAssociation(DomainAssociation)
        case securityText(SecurityText)
    }

    /// The file as its operator wrote it, with unknown members. It is served unchanged.
    package let bytes: [UInt8]
    package let content: Content

    fileprivate init(bytes: [UInt8], content: Content) {
        self.bytes = bytes
        self.content = content
    }
}

/// The reason why a well-known file can't be served, and the member or line that is wrong.
package struct WellKnownFileError: Error, Hashable, CustomStringConvertible {
    /// A kind of fault.
    package enum Code: String, Sendable {
        case tooLarge = "too_large"
        case empty
        /// The bytes are not UTF-8, or hold a byte order mark or U+0000.
        case notText = "not_text"
        /// The file is a web page, as a login page saved in its place.
        case webPage = "web_page"
        case notJSON = "not_json"
        /// A member or field must be there and is not.
        case missing
        /// A value is of another kind, such as a text in place of a list.
        case wrongKind = "wrong_kind"
        /// A text doesn't have the form that its place asks for.
        case malformed
        /// A field stands there twice that may stand there once.
        case repeated
    }

    package let code: Code
    /// The way to the member, such as `applinks.details[0].appIDs[1]`, or the line, such as `line 3`. Empty for the whole
    /// file.
    package let place: String
    /// The fault and the form that is needed, in words that follow "it".
    package let reason: String

    package init(_ code: Code, at place: String = "", _ reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }

    /// Makes an error that shows the text at fault.
    package init(_ code: Code, at place: String, _ text: some StringProtocol, _ reason: String) {
        self.init(code, at: place, "`\(Self.shown(text))` \(reason)")
    }

    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }

    /// The beginning of a text, without the characters that would disturb a terminal or a log.
    private static func shown(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars.prefix(80).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: "?"
            default: String(scalar)
            }
        }
        return scalars.joined() + (text.unicodeScalars.count > 80 ? "…" : "")
    }
}
