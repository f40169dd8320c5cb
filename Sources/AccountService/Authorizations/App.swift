import AppleID
public import AppleIDTypes

/// An app that may ask this service for an authorization by Apple where Apple's framework is not.
public struct App: Hashable, Sendable {
    /// The name that the app gives when it asks this service.
    public var id: AppID
    /// The app's name, for the pages on which a person decides whether it is the app that they mean.
    public var name: String
    /// The bundle ids with which the app signs in where Apple's framework is.
    public var bundleIDs: Set<ClientID>
    /// The Services ID with which Apple is asked. Without it the app can only begin authorizations at other providers;
    /// code-only sign-in stays.
    public var servicesID: ClientID?
    /// The URLs that a browser may be sent back to; empty for an app that has the device flow alone.
    public var returnTargets: [ReturnTarget]
    /// Whether the app gets Apple's own code, unredeemed, for a backend that is not this service.
    public var handThrough: Bool

    /// Describes an app. `App` values are checked when the service is opened.
    public init(
        id: AppID, name: String, bundleIDs: Set<ClientID> = [], servicesID: ClientID?,
        returnTargets: [ReturnTarget] = [], handThrough: Bool = false
    ) {
        self.id = id
        self.name = name
        self.bundleIDs = bundleIDs
        self.servicesID = servicesID
        self.returnTargets = returnTargets
        self.handThrough = handThrough
    }

    /// Everything that Apple may know the app as.
    package var clientIDs: Set<ClientID> { bundleIDs.union(servicesID.map { [$0] } ?? []) }
}

extension App {
    /// Refuses apps that could never do what they are configured for.
    /// - Parameter hasProviders: whether browsers can go to another provider than Apple. Then an app without a Services ID
    ///   may have return targets.
    /// - Throws: ``AccountError/Code/configuration``.
    static func check(
        _ apps: [App], clients: [ClientID: ClientRegistration], hasProviders: Bool = false
    ) throws(AccountError) {
        var ids: Set<AppID> = []
        for app in apps {
            guard ids.insert(app.id).inserted else {
                throw AccountError(.configuration, "two apps have the id `\(app.id)`")
            }
            guard !app.id.rawValue.isEmpty, !app.name.isEmpty else {
                throw AccountError(.configuration, "an app needs an id and a name")
            }
            guard !app.clientIDs.isEmpty else {
                throw AccountError(.configuration, "app `\(app.id)` has neither a Services ID nor a bundle id")
            }
            for id in app.bundleIDs {
                guard clients[id]?.kind == .app else {
                    throw AccountError(.configuration, "bundle id `\(id)` of app `\(app.id)` is no configured client")
                }
            }
            if let id = app.servicesID {
                guard clients[id]?.kind == .service else {
                    throw AccountError(
                        .configuration, "Services ID `\(id)` of app `\(app.id)` is no configured client")
                }
            } else if !app.returnTargets.isEmpty, !hasProviders {
                throw AccountError(
                    .configuration, "app `\(app.id)` has return targets, but no Services ID to ask Apple with")
            }
        }
    }
}

/// A place that a browser may be sent back to with a handle: one URL, byte for byte, or every loopback address of this
/// machine.
///
/// A URL is https (a page of the app's own, or an app link of RFC 8252 §7.2), has a private scheme in reverse-DNS form
/// (§7.1), or is Android's `intent://`.
public struct ReturnTarget: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case url(String)
        case loopback
    }

    /// In bytes, of a URL.
    static let maximumLength = 2_048

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// `http://127.0.0.1` and `http://[::1]` at any port and any path (RFC 8252 §7.3); never the name `localhost`,
    /// which others may answer for.
    public static let loopback = Self(.loopback)

    /// Reads a return target from the configuration.
    /// - Parameter text: a URL without user information and, but for `intent://`, without fragment; or the word
    ///   `loopback`.
    /// - Throws: ``AccountError/Code/configuration``, saying what is wrong with it.
    public init(_ text: String) throws(AccountError) {
        guard text != "loopback" else {
            self.init(.loopback)
            return
        }
        if let fault = Self.fault(in: text) {
            throw AccountError(.configuration, "the return target `\(text)` \(fault)")
        }
        self.init(.url(text))
    }

    /// The URL, or the word for loopback, as logs show it.
    public var description: String {
        switch kind {
        case .url(let text): text
        case .loopback: "loopback"
        }
    }

    /// Whether a redirect URI that an app asks for is this one.
    func matches(_ redirectURI: String) -> Bool {
        switch kind {
        // Bytes, because `==` takes canonically equivalent texts for equal.
        case .url(let text): text.utf8.elementsEqual(redirectURI.utf8)
        case .loopback: Self.isLoopback(redirectURI)
        }
    }

    /// A redirect URI with something added to its query; an intent's fragment stays at the end.
    static func location(_ redirectURI: String, adding query: String) -> String {
        let end = redirectURI.firstIndex(of: "#") ?? redirectURI.endIndex
        let url = redirectURI[..<end]
        return url + (url.contains("?") ? "&" : "?") + query + redirectURI[end...]
    }

    // MARK: Form

    private static func fault(in text: String) -> String? {
        guard text.utf8.count <= maximumLength else { return "is longer than \(maximumLength) bytes" }
        guard isPlain(text) else { return "holds a character that no URL holds" }
        guard let colon = text.firstIndex(of: ":") else { return "has no scheme" }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        switch scheme {
        case "https":
            guard !host(of: authority(of: rest)).isEmpty else { return "has no host" }
        case "intent":
            guard rest.hasPrefix("//"), text.contains("#Intent;"), text.hasSuffix(";end") else {
                return "does not have the form intent://…#Intent;…;end"
            }
        default:
            guard isReverseDNS(scheme) else {
                return "needs https, or a private scheme in reverse-DNS form such as com.example.app"
            }
        }
        guard !authority(of: rest).contains("@") else { return "holds user information" }
        guard scheme == "intent" || !text.contains("#") else { return "holds a fragment" }
        return nil
    }

    private static func authority(of rest: Substring) -> Substring {
        guard rest.hasPrefix("//") else { return "" }
        return rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// Without the port.
    private static func host(of authority: Substring) -> Substring {
        authority.first == "[" ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    }

    /// RFC 8252 §7.1: a scheme with a dot, so that its owner can be told by their domain.
    private static func isReverseDNS(_ scheme: Substring) -> Bool {
        let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let first = scheme.utf8.first, isLetter(first) else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isLoopback(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLength, isPlain(text), !text.contains("#") else { return false }
        guard let host = ["http://127.0.0.1", "http://[::1]"].first(where: text.hasPrefix) else { return false }
        var rest = text.utf8.dropFirst(host.utf8.count)
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard let port = UInt16(String(Substring(digits))), port > 0 else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?")
    }

    /// RFC 3986 Appendix A has no other characters.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}"#.utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
