import AppleID
package import AppleIDTypes
package import CommandIO
package import Crypto
import StrictJSON

/// Checks a client secret by Apple's rules ("Creating a client secret", TN3107), with one finding for each rule.
///
/// Apple answers `invalid_client` to every fault. So this type reports the faults that show without asking Apple.
package struct SecretExamination {
    /// The values to compare the secret with. An absent one is not compared.
    package struct Expectation {
        var team: TeamID?
        var keyID: KeyID?
        /// Any client may be the subject where this is empty.
        var clients: [ClientID] = []
        var publicKey: P256.Signing.PublicKey?

        package init(
            team: TeamID? = nil, keyID: KeyID? = nil, clients: [ClientID] = [],
            publicKey: P256.Signing.PublicKey? = nil
        ) {
            self.team = team
            self.keyID = keyID
            self.clients = clients
            self.publicKey = publicKey
        }
    }

    static let name = "client secret"
    /// Apple's clock may be this much behind ours.
    private static let leeway: Int64 = 60

    let token: DecodedToken
    let expectation: Expectation
    /// Seconds since 1970.
    let now: Int64

    package init(token: DecodedToken, expectation: Expectation, now: Int64) {
        self.token = token
        self.expectation = expectation
        self.now = now
    }

    /// Returns the finding about a text that is no token at all.
    package static func malformed(_ secret: String, _ failure: Failure) -> Finding {
        if secret.isEmpty {
            return .failed(
                name, "secret_empty", "the client secret is empty",
                hint: "a key file that could not be read "
                    + "often ends as an empty secret; siwa secret mint makes one")
        }
        return .failed(
            name, "secret_malformed", failure.problem.replacing("malformed_token: ", with: ""),
            hint: "siwa secret mint makes one that Apple can read")
    }

    package func findings() -> [Finding] {
        [algorithm, keyID, issuer, subject, audience, expiry, issuedAt, signature]
    }

    private var algorithm: Finding {
        let found = token.header["alg"]?.string
        guard found == "ES256" else {
            return failed(
                "secret_algorithm", "alg is \(shown(found)), and Apple takes ES256 alone, spelt so",
                "sign with the P-256 key of the .p8 file")
        }
        return passed("alg is ES256")
    }

    private var keyID: Finding {
        guard let found = token.header["kid"]?.string, !found.isEmpty else {
            return failed(
                "secret_key_id_missing", "the header has no kid", "put the ten characters of the key's id there")
        }
        if let expected = expectation.keyID, found != expected.rawValue {
            return failed(
                "secret_wrong_key_id", "kid is \(shown(found)), and the configured key is \(expected)",
                "make a new one with the key that is configured")
        }
        return passed("kid is \(shown(found))")
    }

    private var issuer: Finding {
        guard let found = token.claims["iss"]?.string, !found.isEmpty else {
            return failed("secret_issuer_missing", "iss is missing", "it is the ten characters of your team")
        }
        if let expected = expectation.team, found != expected.rawValue {
            return failed(
                "secret_wrong_team", "iss is \(shown(found)), and the configured team is \(expected)",
                "iss is the Team ID, never a client or key id")
        }
        guard PortalID.isWellFormed(found) else {
            return .warned(
                Self.name, "secret_issuer_form", "iss is \(shown(found)), which does not look like a Team ID",
                hint: PortalID.form)
        }
        return passed("iss is \(shown(found))")
    }

    private var subject: Finding {
        guard let found = token.claims["sub"]?.string, !found.isEmpty else {
            return failed("secret_subject_missing", "sub is missing", "it is the client_id of the same request")
        }
        let team = expectation.team?.rawValue ?? token.claims["iss"]?.string ?? ""
        if !team.isEmpty, found.hasPrefix(team + ".") {
            return failed(
                "secret_subject_has_team", "sub is \(shown(found)), with the Team ID before it",
                "leave out the Team ID and the dot")
        }
        guard expectation.clients.isEmpty || expectation.clients.contains(ClientID(found)) else {
            return failed(
                "secret_wrong_client", "sub is \(shown(found)), which is none of the configured clients",
                "each client needs a secret of its own: bundle ids for codes from devices, the Services ID for the web")
        }
        return passed("sub is \(shown(found)): good for requests with this client_id only")
    }

    private var audience: Finding {
        var found = token.claims["aud"]?.string
        // One library writes a list of one, and Apple takes it.
        if let list = token.claims["aud"], list.kind == .array, list.count == 1 {
            found = list.elements.first { _ in true }?.string
        }
        guard found == AppleServer.apple.issuer else {
            return failed(
                "secret_audience", "aud is \(shown(found)), and must be \(AppleServer.apple.issuer)",
                "no slash at its end; an emulator wants the same")
        }
        return passed("aud is \(AppleServer.apple.issuer)")
    }

    private var expiry: Finding {
        guard let end = token.claims["exp"]?.int64 else {
            return failed("secret_expiry_missing", "exp is missing or no whole number", "it is in seconds since 1970")
        }
        guard end > now else {
            return failed(
                "secret_expired", "it ended \(TextForPeople.time(end, now: now))",
                "make a new one now, and better have your server make them when it needs one")
        }
        guard end <= now.addingReportingOverflow(ClientSecret.longestLifetime).partialValue else {
            return failed(
                "secret_expires_too_late", "it ends \(TextForPeople.time(end, now: now))",
                "Apple takes 15777000 seconds at most, about 182 days; are these perhaps milliseconds?")
        }
        guard end - now >= 14 * 86_400 || lifetime < 14 * 86_400 else {
            return .warned(
                Self.name, "secret_expires_soon", "it ends \(TextForPeople.time(end, now: now))",
                hint: "sign-ins fail from then on; replace it before")
        }
        return passed("it ends \(TextForPeople.time(end, now: now))")
    }

    private var lifetime: Int64 {
        guard let start = token.claims["iat"]?.int64, let end = token.claims["exp"]?.int64 else { return 0 }
        return end.subtractingReportingOverflow(start).partialValue
    }

    private var issuedAt: Finding {
        guard let start = token.claims["iat"]?.int64 else {
            return failed(
                "secret_issued_at_missing", "iat is missing or no whole number", "it is in seconds since 1970")
        }
        guard start <= now + Self.leeway else {
            return failed(
                "secret_from_the_future", "it was made \(TextForPeople.time(start, now: now))",
                "the clock of the machine that made it is ahead; are these perhaps milliseconds?")
        }
        return passed("it was made \(TextForPeople.time(start, now: now))")
    }

    private var signature: Finding {
        guard token.signature.count == 64 else {
            let isDER = token.signature.first == 0x30
            return failed(
                isDER ? "secret_signature_der" : "secret_signature_length",
                "the signature has \(token.signature.count) bytes, and must have 64",
                isDER
                    ? "this is the DER form, which openssl writes; Apple wants R and S side by side (RFC 7518 §3.4)"
                    : "the secret may have been cut off when it was copied")
        }
        guard let key = expectation.publicKey else {
            return .skipped(
                Self.name, "the signature has the right form; without the key nothing more can be said of it")
        }
        guard ES256.isValid(token.signature, over: token.signingInput, by: key) else {
            return failed(
                "secret_signature_wrong", "the signature is not made by the configured key",
                "it was made with another .p8 file, or was changed afterwards")
        }
        return passed("the signature is made by the configured key")
    }

    private func shown(_ text: String?) -> String {
        text.map { "`\(TextForPeople.quoted($0, limit: 80))`" } ?? "missing"
    }

    private func passed(_ explanation: String) -> Finding { .passed(Self.name, explanation) }

    private func failed(_ code: String, _ explanation: String, _ hint: String) -> Finding {
        .failed(Self.name, code, explanation, hint: hint)
    }
}

extension P256.Signing.PublicKey {
    /// Reads the public half of a key from a PEM file that holds the private key, or the public one alone.
    package static func read(fromFile path: String) throws -> Self {
        let pem = try SmallFile.text(path)
        do {
            return try pem.contains("PUBLIC KEY")
                ? P256.Signing.PublicKey(pemRepresentation: pem)
                : P256.Signing.PrivateKey(pemRepresentation: pem).publicKey
        } catch {
            // The cause is left out: a parser's error may quote its input.
            throw Failure("the file \(path) holds no P-256 key in PEM")
        }
    }
}
