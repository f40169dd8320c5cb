import AppleID
import AppleIDTypes
import CommandIO
import Foundation

/// Checks that the private key can be read, is a valid key, and is readable by its owner only.
struct KeyFileCheck {
    private static let name = "key file"
    private static let source =
        "Apple's portal lets you download the .p8 file once; if it is lost, make a new key and set its Key ID"

    let settings: DoctorSettings

    /// - Returns: nil for the key when it cannot be used.
    func examine() -> (findings: [Finding], key: AppleClientKey?) {
        let pem: String
        var findings: [Finding] = []
        if let given = settings.pem {
            pem = given
        } else if let file = settings.keyFile {
            guard FileManager.default.fileExists(atPath: file) else {
                return ([failed("key_file_missing", "there is no file \(file)", Self.source)], nil)
            }
            do {
                pem = try SmallFile.text(file)
            } catch {
                return (
                    [
                        failed(
                            "key_file_unreadable", "the file \(file) cannot be read", "run as the service's user; ls -l"
                        )
                    ],
                    nil
                )
            }
            findings += permissions(of: file)
        } else {
            return ([.skipped(Self.name, "there is none to look at")], nil)
        }
        if let finding = form(of: pem) { return (findings + [finding], nil) }
        do {
            // The identifiers have no say in whether it is a key.
            let key = try AppleClientKey(
                id: settings.keyID ?? "-", team: settings.team ?? "-", pem: pem)
            findings.insert(.passed(Self.name, "a P-256 private key, and what it signs verifies"), at: 0)
            return (findings, settings.keyID == nil || settings.team == nil ? nil : key)
        } catch {
            let finding = failed("key_not_p256", "this is no P-256 private key in PKCS#8", Self.source)
            return (findings + [finding], nil)
        }
    }

    private func form(of pem: String) -> Finding? {
        let text = pem.replacing("\\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { return failed("key_file_empty", "the key is empty", Self.source) }
        guard let line = text.split(whereSeparator: \.isNewline).first, line.hasPrefix("-----BEGIN ") else {
            return failed(
                "key_not_pem", "the key does not begin with -----BEGIN PRIVATE KEY-----",
                "take the whole .p8 file, its first and last line and its line breaks included (\\n is taken for one)")
        }
        let kinds = [
            ("PUBLIC KEY", "key_is_public", "this is a public key"),
            ("CERTIFICATE", "key_is_certificate", "this is a certificate"),
            ("ENCRYPTED PRIVATE KEY", "key_is_encrypted", "this key is encrypted"),
            ("RSA PRIVATE KEY", "key_is_rsa", "this is an RSA key"),
        ]
        for (word, code, explanation) in kinds where line.contains("-----BEGIN \(word)") {
            return failed(code, explanation + ", and Apple's is a P-256 private key in PKCS#8", Self.source)
        }
        return nil
    }

    private func permissions(of file: String) -> [Finding] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 != 0 else { return [] }
        return [
            .warned(
                Self.name, "key_file_open", "other users of this machine may read it (mode \(String(mode, radix: 8)))",
                hint: "chmod 600 \(file)")
        ]
    }

    private func failed(_ code: String, _ explanation: String, _ hint: String) -> Finding {
        .failed(Self.name, code, explanation, hint: hint)
    }
}

/// This machine's clock beside the time in Apple's answer.
enum ClockCheck {
    private static let name = "clock"

    /// - Parameter header: the answer's `Date` (RFC 9110 §5.6.7), in whole seconds.
    /// - Returns: also whether the clocks agree well enough for tokens and secrets; nil when nothing is known.
    static func examine(_ header: String?, now: Date) -> (finding: Finding, isRight: Bool?) {
        guard let header, let theirs = ClockDifference.seconds(header) else {
            return (.skipped(name, "the answer does not say what time it is"), nil)
        }
        let ahead = Int64((now.timeIntervalSince1970 - Double(theirs)).rounded())
        let word = ahead < 0 ? "behind" : "ahead of"
        switch abs(ahead) {
        case 0...5: return (.passed(name, "it agrees with Apple's to \(max(1, abs(ahead))) s"), true)
        case 6...60:
            return (
                .warned(
                    name, "clock_drifts", "it is \(abs(ahead)) s \(word) Apple's", hint: "let an NTP service set it"),
                true
            )
        default:
            return (
                .failed(
                    name, "clock_wrong", "it is \(TextForPeople.span(abs(ahead))) \(word) Apple's",
                    hint: ahead < 0
                        ? "client secrets have expired when they arrive, and tokens seem to come from the "
                            + "future; let an NTP service set it"
                        : "client secrets come from the future, and tokens seem to have expired; let an NTP "
                            + "service set it"
                ),
                false
            )
        }
    }
}
