package import AppleIDTypes
import Crypto
import Foundation

/// The look-up form of an e-mail address: two addresses with one form sign in to one account.
///
/// The form is in NFC and lower case, with a domain as IDNA writes it in ASCII. An email identity keeps the form as its
/// subject, and beside it the address as the person typed it. Mail goes to the typed address.
package struct EmailForm: Hashable, Sendable, Redacted {
    /// The local part in NFC and lower case, `@`, and the domain in ASCII.
    package let rawValue: String

    /// Makes the form of an address.
    ///
    /// An address is refused whose local part has a character that becomes one of ASCII, such as the Kelvin sign for
    /// `k`: whoever owns that mailbox would pass for the owner of another.
    /// - Parameter field: The member of the request that has the address.
    /// - Throws: ``AccountError/Code/requestInvalid`` for the field.
    package init(_ address: EmailAddress, field: String = "email") throws(AccountError) {
        if let simple = Self.simple(address.rawValue) {
            rawValue = simple
            return
        }
        let parts = address.rawValue.unicodeScalars.split(separator: "@")
        guard parts.count == 2, let domain = Self.asciiDomain(String(parts[1])),
            parts[0].allSatisfy({ $0.isASCII || !Self.fold(String($0)).unicodeScalars.contains(where: \.isASCII) })
        else {
            throw AccountError(.requestInvalid, "this e-mail address can't be told apart from others", field: field)
        }
        rawValue = Self.fold(String(parts[0])) + "@" + domain
    }

    /// Reads the form that is the subject of an email identity.
    init(subject: Subject) {
        rawValue = subject.rawValue
    }

    /// The form of an address, to be stored beside it, where the form is spelled otherwise; nil where it isn't, or the
    /// address has no form.
    static func besides(_ address: String?) -> String? {
        guard let address, let form = Self(of: address), form.rawValue != address else { return nil }
        return form.rawValue
    }

    /// The form of a stored address; nil where it has none.
    init?(of address: String) {
        do {
            try self.init(EmailAddress(address, field: "email"))
        } catch {
            // Apple's addresses, and those of former versions, may be none that a person can sign up with.
            return nil
        }
    }

    /// The subject of an email identity.
    var subject: Subject { Subject(rawValue) }

    /// The form of an address in ASCII whose domain IDNA leaves as it is; nil for any other. Nearly all are so, and a URL
    /// takes ten times as long.
    private static func simple(_ address: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(address.utf8.count)
        // The index behind the `@`, and that of the label under way.
        var (domain, label): (Int?, Int) = (nil, 0)
        func isAlphanumeric(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        func isGoodLabel(_ label: ArraySlice<UInt8>) -> Bool {
            guard let first = label.first, let last = label.last, isAlphanumeric(first), isAlphanumeric(last) else {
                return false
            }
            // `xn--` and its like.
            return !label.dropFirst(2).starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")])
        }
        for byte in address.utf8 {
            guard byte < 0x80 else { return nil }
            let byte = (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
            if domain == nil {
                if byte == UInt8(ascii: "@") { (domain, label) = (bytes.count + 1, bytes.count + 1) }
            } else if byte == UInt8(ascii: ".") {
                guard isGoodLabel(bytes[label...]) else { return nil }
                label = bytes.count + 1
            } else if !isAlphanumeric(byte), byte != UInt8(ascii: "-") {
                return nil
            }
            bytes.append(byte)
        }
        guard let domain, domain > 1, isGoodLabel(bytes[label...]) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lower case may undo NFC.
    private static func fold(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
    }

    /// Writes a domain in ASCII, as IDNA does (UTS #46); nil for one that IDNA refuses.
    ///
    /// Foundation writes the host of a URL so. The caller has refused other characters than those of domains.
    package static func asciiDomain(_ text: String) -> String? {
        guard let host = URL(string: "https://\(text)/")?.host(percentEncoded: false)?.lowercased(), !host.isEmpty,
            host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") })
        else { return nil }
        return host
    }
}

extension SignInRecord.Person {
    /// The team of every email identity.
    package static let emailTeam: TeamID = "email"

    /// The person of an email identity.
    /// - Parameter address: as the person typed it; nil leaves the stored address as it is.
    init(_ form: EmailForm, address: String?) {
        self.init(
            team: Self.emailTeam, subject: form.subject, email: address, emailVerified: true, isPrivateEmail: false,
            realUserStatus: nil)
        provider = .email
    }
}

/// Hashes look-up forms and networks under the key ring, so that nobody who has the database alone can try addresses.
struct EmailFormHashes: Sendable {
    private let keyRing: KeyRingInUse

    init(keyRing: KeyRingInUse) {
        self.keyRing = keyRing
    }

    /// The hash of a form in links, under each key in the ring's order: a link may be older than the first key.
    func links(of form: EmailForm) -> [TokenHash] { hashes(of: form.rawValue, for: "email link form") }

    /// The hash of a form in counts of wrong passwords. After a change of the ring's first key the counts begin anew.
    func failures(of form: EmailForm) -> TokenHash { hashes(of: form.rawValue, for: "password failures")[0] }

    /// The hash of a network in counts of wrong passwords.
    func failures(from network: CountedNetwork) -> TokenHash {
        hashes(of: network.rawValue, for: "password failures of networks")[0]
    }

    private func hashes(of text: String, for purpose: String) -> [TokenHash] {
        keyRing.derivedKeys(for: purpose).map { _, key in
            TokenHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)))
        }
    }
}
