import StrictJSON

/// An app by the identifier that Apple's systems know it by: the prefix of its App ID, which nearly always is the Team ID,
/// and its bundle id.
package struct AppIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// Ten capital letters and digits.
    package let prefix: String
    package let bundleID: String

    package var description: String { "\(prefix).\(bundleID)" }

    /// Reads `ABCDE12345.com.example.juice`; nil for a text of another form.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 10,
            parts[0].utf8.allSatisfy({ $0.isUppercaseLetter || $0.isDigit }), Self.isBundleID(parts[1])
        else { return nil }
        prefix = String(parts[0])
        bundleID = String(parts[1])
    }

    /// Letters, digits and hyphens, in parts between dots. Here, other than in the portal, no asterisk may stand for a
    /// part.
    private static func isBundleID(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        }
    }
}

/// The content of an `apple-app-site-association`: the apps that share links and credentials with a host (Apple,
/// "Supporting associated domains").
///
/// Members that are not named here are kept and not read.
package struct AppSiteAssociation: Sendable, Hashable {
    /// The apps of `webcredentials`, which share passwords and passkeys with the host. Nil without that member.
    package let webCredentials: [AppIdentifier]?
    /// The apps of `applinks`, which open links to the host. Nil without that member.
    package let universalLinks: [AppIdentifier]?
    /// The apps of `appclips`. Nil without that member.
    package let appClips: [AppIdentifier]?
    /// The apps of `activitycontinuation`, which continue what was begun elsewhere. Nil without that member.
    package let handoff: [AppIdentifier]?

    private static let services = ["webcredentials", "applinks", "appclips", "activitycontinuation"]

    package init(_ bytes: [UInt8]) throws(WellKnownFileError) {
        let file = try PlacedValue(file: bytes).object(
            #"must be an object with a member for each service, such as {"webcredentials": {"apps": [...]}}"#)
        guard Self.services.contains(where: { file.member($0) != nil }) else {
            throw WellKnownFileError(.missing, "has none of \(Self.services.joined(separator: ", "))")
        }
        webCredentials = try Self.apps(of: "webcredentials", in: file)
        appClips = try Self.apps(of: "appclips", in: file)
        handoff = try Self.apps(of: "activitycontinuation", in: file)
        universalLinks = try Self.universalLinks(in: file)
    }

    /// The `apps` of a service.
    private static func apps(of service: String, in file: PlacedValue) throws(WellKnownFileError) -> [AppIdentifier]? {
        guard let service = try file.member(service)?.object() else { return nil }
        return try identifiers(try service.required("apps", "the list of its apps"))
    }

    private static func universalLinks(in file: PlacedValue) throws(WellKnownFileError) -> [AppIdentifier]? {
        guard let service = try file.member("applinks")?.object() else { return nil }
        let details = try service.required("details", "a list of objects with `appIDs` and `components`")
            .elements("must be a list of objects with `appIDs` and `components`")
        var apps: [AppIdentifier] = []
        for detail in details {
            apps += try self.apps(of: try detail.object("must be an object with `appIDs` and `components`"))
            try checkComponents(of: detail)
        }
        return apps
    }

    /// The apps of one element of `details`. Before iOS 13 there was one app an element, as `appID`.
    private static func apps(of detail: PlacedValue) throws(WellKnownFileError) -> [AppIdentifier] {
        let single = try detail.member("appID").map { (value) throws(WellKnownFileError) in try identifier(value) }
        guard let several = detail.member("appIDs") else {
            guard let single else {
                throw WellKnownFileError(.missing, at: detail.place, "has no `appIDs`: the list of its apps")
            }
            return [single]
        }
        return try identifiers(several) + (single.map { [$0] } ?? [])
    }

    /// Checks the patterns of one element of `details`: `components`, or `paths` as before iOS 13.
    private static func checkComponents(of detail: PlacedValue) throws(WellKnownFileError) {
        for path in try detail.member("paths")?.elements("must be a list of texts") ?? [] { _ = try path.text() }
        for component in try detail.member("components")?.elements("must be a list of objects") ?? [] {
            _ = try component.object(#"must be an object, such as {"/": "/orders/*"}"#)
            for name in ["/", "#", "comment"] { _ = try component.member(name)?.text() }
            if let query = component.member("?") { try checkQuery(query) }
            for name in ["exclude", "caseSensitive", "percentEncoded"] {
                guard let flag = component.member(name), flag.value.kind != .bool else { continue }
                throw WellKnownFileError(.wrongKind, at: flag.place, "must be true or false")
            }
        }
    }

    /// A pattern for the whole query, or an object with a pattern for each of its items.
    private static func checkQuery(_ query: PlacedValue) throws(WellKnownFileError) {
        switch query.value.kind {
        case .string: return
        case .object where query.value.members.allSatisfy({ $0.value.kind == .string }): return
        default:
            throw WellKnownFileError(
                .wrongKind, at: query.place, "must be a text, or an object with a text for each item of the query")
        }
    }

    private static func identifiers(_ list: PlacedValue) throws(WellKnownFileError) -> [AppIdentifier] {
        var identifiers: [AppIdentifier] = []
        for element in try list.elements("must be a list of app ids") { identifiers.append(try identifier(element)) }
        return identifiers
    }

    private static func identifier(_ value: PlacedValue) throws(WellKnownFileError) -> AppIdentifier {
        let text = try value.text()
        guard let identifier = AppIdentifier(text) else {
            throw WellKnownFileError(
                .malformed, at: value.place, text,
                "is no app id; write the Team ID, a dot and the bundle id, as in ABCDE12345.com.example.juice")
        }
        return identifier
    }
}
