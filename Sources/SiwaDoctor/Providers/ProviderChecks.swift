import AppleID
import CommandIO
import Foundation
import Logging
import OpenIDConnect

/// Asks each provider beside Apple for its document and keys, and says whether browsers can sign in with it.
struct ProviderChecks {
    let settings: DoctorSettings
    let transport: any AppleTransport
    let now: @Sendable () -> Date

    func findings() async -> [Finding] {
        // The providers are asked at once, because one that can't be reached takes its whole time limit.
        await withTaskGroup(of: (index: Int, findings: [Finding]).self) { group in
            for (index, configuration) in settings.providers.enumerated() {
                group.addTask { (index, await findings(of: configuration)) }
            }
            var found: [(index: Int, findings: [Finding])] = []
            for await one in group { found.append(one) }
            return found.sorted { $0.index < $1.index }.flatMap(\.findings)
        }
    }

    private func findings(of configuration: ProviderConfiguration) async -> [Finding] {
        let name = "\(configuration.id)"
        let client = ProviderClient(
            configuration, transport: transport,
            environment: OpenIDConnectEnvironment(now: now, randomBytes: OpenIDConnectEnvironment.live.randomBytes),
            logger: Logger(label: "siwa.doctor") { _ in SwiftLogNoOpLogHandler() })
        let examination: ProviderExamination
        do throws(OpenIDConnectError) {
            examination = try await client.examine()
        } catch {
            return [Self.failure(of: configuration, error)]
        }
        let keys = TextForPeople.count(examination.keyCount, "key", "keys")
        var findings = [
            Finding.passed(name, "\(examination.documentURL) answers for its own issuer, with \(keys)"),
            .passed(
                name, "identity tokens are signed with one of \(examination.algorithms.joined(separator: ", "))"),
        ]
        guard configuration.credential != nil else {
            return findings + [.skipped(name, "no secret or key is set, so only apps sign in with this provider")]
        }
        findings += flow(examination, name)
        findings.append(redirectURI(of: configuration, name))
        return findings
    }

    private static func failure(of configuration: ProviderConfiguration, _ error: OpenIDConnectError) -> Finding {
        let (name, url) = ("\(configuration.id)", configuration.documentURL)
        switch error.code {
        case .metadataIssuerMismatch:
            return .failed(
                name, "provider_issuer_mismatch", "\(url) is the document of another issuer",
                hint:
                    "the issuer has to be spelled byte for byte as \"issuer\" in the document, with or without a slash at "
                    + "the end")
        case .providerUnsupported:
            return .failed(name, "provider_unsupported", "\(url): \(error.reason)")
        case .malformedAnswer:
            return .failed(
                name, "provider_document_malformed", "\(url): \(error.reason)",
                hint: "is there a login page or a proxy in the provider's place?")
        default:
            return .failed(
                name, "provider_unreachable", "\(url): \(error.reason)",
                hint: "curl -v \(url) shows more: name resolution, a firewall, a certificate, or a wrong issuer")
        }
    }

    private func flow(_ examination: ProviderExamination, _ name: String) -> [Finding] {
        var findings: [Finding] = []
        if examination.hasCodeFlow, let mode = examination.responseMode {
            findings.append(.passed(name, "browsers come back by \(mode) with a code"))
        } else {
            findings.append(
                .failed(
                    name, "provider_without_code_flow",
                    "the document announces no code flow that comes back by form_post or query",
                    hint: "browsers can't sign in with this provider; leave its secret out, and apps still can"))
        }
        if let method = examination.authenticationMethod {
            findings.append(.passed(name, "the service authenticates by \(method)"))
        } else {
            findings.append(
                .failed(
                    name, "provider_authentication_unsupported",
                    "the document announces no client authentication that fits the credential",
                    hint: "a secret needs client_secret_basic or client_secret_post, a key needs private_key_jwt"))
        }
        switch examination.challenge {
        case .announced: findings.append(.passed(name, "PKCE with S256 is announced"))
        case .notAnnounced:
            findings.append(
                .warned(
                    name, "provider_pkce_not_announced",
                    "the document doesn't announce PKCE; the service sends it, and the nonce protects without it too"))
        case .withoutS256:
            findings.append(
                .failed(
                    name, "provider_pkce_without_s256",
                    "the document announces PKCE without S256, which protects nothing",
                    hint: "turn S256 on at the provider"))
        }
        findings.append(
            .passed(
                name,
                examination.namesIssuerInResponse
                    ? "each answer names the issuer (RFC 9207), and the service requires it"
                    : "answers don't name the issuer (RFC 9207); the redirect URI of its own tells them apart"))
        return findings
    }

    /// Only a sign-in shows whether the provider knows the redirect URI.
    private func redirectURI(of configuration: ProviderConfiguration, _ name: String) -> Finding {
        guard let url = settings.publicURL else {
            return .skipped(name, "without a public URL there is no redirect URI to register")
        }
        let uri = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/sign-in/\(configuration.id)/callback"
        return .skipped(
            name, "only a sign-in shows whether the provider knows the redirect URI",
            hint: "register \(uri) there, byte for byte")
    }
}
