import AppleIDTypes
import CommandIO
import WellKnownFiles

/// Examines the files that the service serves under `/.well-known`: first by themselves, as the service does when it
/// starts, and then beside the other settings.
struct WellKnownFileChecks {
    /// The time before its end from which on a `security.txt` has to be renewed, in seconds.
    private static let renewal: Int64 = 30 * 86_400

    let settings: DoctorSettings
    /// Seconds since 1970.
    let now: Int64

    /// Returns nothing for a file that no setting names.
    func findings() -> [Finding] {
        WellKnownFile.allCases.flatMap { file in
            settings.wellKnownFiles[file].map { findings(of: file, at: $0) } ?? []
        }
    }

    private func findings(of file: WellKnownFile, at path: String) -> [Finding] {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try BoundedFile.bytes(path, limit: WellKnownFile.maximumBytes)
        } catch {
            return [
                .failed(
                    file.finding, "well_known_file_unreadable", error.problem, hint: "run as the service's user; ls -l")
            ]
        }
        do throws(WellKnownFileError) {
            let content = try file.check(bytes).content
            switch content {
            case .appSiteAssociation(let association): return findings(of: association)
            case .assetLinks(let links): return findings(of: links)
            case .domainAssociation:
                let size = TextForPeople.count(bytes.count, "byte", "bytes")
                return [.passed(file.finding, "\(size), served as they are; only Apple knows what they mean")]
            case .securityText(let text): return findings(of: text)
            }
        } catch {
            return [
                .failed(
                    file.finding, "well_known_file_malformed", "the file \(path): \(error)",
                    hint: "siwa serve does not start with this file; correct it, or leave the setting out")
            ]
        }
    }

    // MARK: Apps

    private func findings(of association: AppSiteAssociation) -> [Finding] {
        let name = WellKnownFile.appSiteAssociation.finding
        let services = [
            ("share passwords and passkeys", association.webCredentials), ("open links", association.universalLinks),
            ("are app clips", association.appClips), ("continue activities", association.handoff),
        ]
        let summary = services.compactMap { words, apps in
            apps.map { "\($0.isEmpty ? "no apps" : $0.map(shown).joined(separator: ", ")) \(words)" }
        }
        var findings: [Finding] = [.passed(name, summary.joined(separator: "; "))]
        let clips = association.appClips ?? []
        let others = services.compactMap(\.1).flatMap(\.self).unique.filter { !clips.contains($0) }
        findings += (others + clips.unique).compactMap { finding(ofTeamOf: $0, name) }
        if !settings.bundleIDs.isEmpty {
            findings += others.filter { !settings.bundleIDs.contains(ClientID($0.bundleID)) }.map { app in
                .warned(
                    name, "app_not_configured",
                    "the bundle id of \(shown(app)) is none of \(NamedSetting.bundleID.name)",
                    hint: "compare the two, letter by letter; identity tokens from this app are refused")
            }
            if association.webCredentials?.isEmpty ?? true {
                findings.append(
                    .warned(
                        name, "no_web_credentials", "it lists no app under webcredentials, and apps are configured",
                        hint: "without it an app can't use passwords and passkeys that were saved for the service's "
                            + "domain; if no app is to use them, all is well"))
            }
        }
        return findings
    }

    private func finding(ofTeamOf app: AppIdentifier, _ name: String) -> Finding? {
        guard let team = settings.team?.rawValue, !team.isEmpty, app.prefix != team else { return nil }
        return .warned(
            name, "app_of_other_team", "\(shown(app)) does not begin with the Team ID `\(quoted(team))`",
            hint:
                "compare it with the App ID Prefix in the portal under Identifiers; only old apps may have another than "
                + "the Team ID")
    }

    private func findings(of links: AssetLinks) -> [Finding] {
        let name = WellKnownFile.assetLinks.finding
        var findings: [Finding] = []
        var targets: [String] = []
        for statement in links.statements {
            switch statement {
            case .app(let package): targets.append("the app `\(quoted(package))`")
            case .site(let site): targets.append("the site \(quoted(site))")
            case .include(let address): targets.append("what \(quoted(address)) lists")
            case .other(let namespace):
                targets.append("something else")
                findings.append(
                    .warned(
                        name, "namespace_unknown", "a target has the namespace `\(quoted(namespace))`",
                        hint: "an app of Android has the namespace android_app, a site has web"))
            }
        }
        let count = TextForPeople.count(links.statements.count, "statement", "statements")
        return [.passed(name, "\(count), about \(targets.unique.joined(separator: ", "))")] + findings
    }

    // MARK: security.txt

    private func findings(of text: SecurityText) -> [Finding] {
        let name = WellKnownFile.securityText.finding
        let end = TextForPeople.time(text.expires, now: now)
        var findings: [Finding] = []
        let hint = "write a new Expires, best less than a year from now; siwa serve takes it over at SIGHUP"
        if text.isExpired(at: now) {
            findings.append(.failed(name, "security_txt_expired", "it has expired (\(end))", hint: hint))
        } else if text.expires - now <= Self.renewal {
            findings.append(.warned(name, "security_txt_expires_soon", "it expires soon (\(end))", hint: hint))
        } else {
            let contacts = text.contacts.map { quoted($0) }.joined(separator: ", ")
            findings.append(.passed(name, "reports go to \(contacts); it expires \(end)"))
        }
        if !text.unknownFields.isEmpty {
            findings.append(
                .warned(
                    name, "security_txt_field_unknown",
                    "it has fields that RFC 9116 does not name: "
                        + text.unknownFields.map { "`\(quoted($0))`" }.joined(separator: ", "),
                    hint: "readers ignore them; compare their spelling with the RFC"))
        }
        if let publicURL = settings.publicURL, !text.canonical.isEmpty,
            !text.canonical.contains(publicURL + WellKnownFile.securityText.path)
        {
            findings.append(
                .warned(
                    name, "security_txt_elsewhere",
                    "its Canonical does not name \(publicURL)\(WellKnownFile.securityText.path)",
                    hint: "readers should not trust the file at an address that it does not name"))
        }
        return findings
    }

    private func shown(_ app: AppIdentifier) -> String { "`\(quoted(app.description))`" }

    private func quoted(_ text: String) -> String { TextForPeople.quoted(text, limit: 100) }
}

extension WellKnownFile {
    /// The name of the findings about the file.
    fileprivate var finding: String {
        switch self {
        case .appSiteAssociation: "app association"
        case .assetLinks: "asset links"
        case .domainAssociation: "domain file"
        case .securityText: "security.txt"
        }
    }
}

extension Array where Element: Hashable {
    /// The elements without repeats, in their order.
    fileprivate var unique: Self {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
