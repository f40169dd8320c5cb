import AppleIDTypes
import CommandIO
import Crypto
import StrictJSON

/// A client secret that was made elsewhere, with its faults and Apple's answer to it.
struct HandedSecret {
    let text: String
    /// The findings from the secret itself, before Apple is asked.
    let findings: [Finding]
    /// The subject that the secret names: the `client_id` to try it with. Nil if it names none.
    let subject: ClientID?

    init(_ text: String, settings: DoctorSettings, now: Int64) {
        self.text = text
        var key: P256.Signing.PublicKey?
        if let file = settings.keyFile {
            // A key that cannot be read has a finding of its own.
            key = try? P256.Signing.PublicKey.read(fromFile: file)
        } else if let pem = settings.pem {
            key = try? P256.Signing.PrivateKey(pemRepresentation: pem.replacing("\\n", with: "\n")).publicKey
        }
        do throws(Failure) {
            let token = try DecodedToken(text)
            let expectation = SecretExamination.Expectation(
                team: settings.team, keyID: settings.keyID, clients: settings.bundleIDs + settings.servicesIDs,
                publicKey: key)
            findings = SecretExamination(token: token, expectation: expectation, now: now).findings()
            subject = token.claims["sub"]?.string.flatMap { $0.isEmpty ? nil : ClientID($0) }
        } catch {
            findings = [SecretExamination.malformed(text, error)]
            subject = nil
        }
    }

    func finding(for answer: AppleAnswer, evidence: InvalidClientCause.Evidence) -> Finding {
        let name = SecretExamination.name
        if case .refused(.invalidClient, let words) = answer, !findings.areGood {
            return .failed(
                name, "invalid_client", "Apple does not accept it\(ClientDiagnosis.saying(words))",
                hint: "mend what is said about it above")
        }
        var finding = ClientDiagnosis.finding(
            for: answer, client: subject ?? "", evidence: evidence, name: name)
        if finding.outcome == .passed {
            // The causes that the secret itself doesn't show.
            finding.hints = [
                Finding.Hint(
                    cause: "body_not_encoded",
                    text:
                        "if a server gets invalid_client with it all the same, look whether its form is percent-encoded"
                ),
                Finding.Hint(
                    cause: "client_id_differs",
                    text: "or whether the client_id that it sends is another than the secret's sub"),
                Finding.Hint(
                    cause: "redirect_uri_differs",
                    text: "if it gets invalid_grant, look whether the redirect_uri that it sends is another than the "
                        + "authorization request's"),
            ]
        }
        return finding
    }
}
