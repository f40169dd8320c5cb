import AccountService

extension PasswordSettings {
    /// The shortest password that NIST SP 800-63B-4 §3.1.1.2 allows where a password is the only factor.
    private static let recommendedLength = 15

    /// Reads ``Setting/passwords`` and the settings that go with it.
    ///
    /// Problems are reported. One of them is a server without mail, because only mail proves an address.
    /// - Parameter mail: The mail server; nil where none is set, or where it has problems.
    /// - Returns: nil where passwords are off, and after a problem.
    static func read(_ reader: inout SettingsReader, mail: MailServerSettings?) -> Self? {
        let isOn = reader.flag(.passwords)
        let minimumLength = reader.count(.passwordMinimumLength, in: minimumLengths)
        let hashers = reader.count(.passwordHashers, in: 1...64)
        guard isOn else {
            if minimumLength != nil || hashers != nil, !reader.isRefused(.passwords) {
                reader.report(.passwords, "is missing: passwords are off, and there are other settings of them")
            }
            return nil
        }
        if mail == nil, !reader.problems.contains(where: { $0.setting == .mailURL }), reader.text(.mailURL) == nil {
            reader.report(
                .mailURL, "is missing: with \(Setting.passwords.path), people prove their address by a link in a mail")
            return nil
        }
        var settings = minimumLength.map { Self(minimumLength: $0) } ?? Self()
        if let hashers { settings.hashers = hashers }
        return settings
    }

    /// A warning for a minimum that is shorter than the recommended length.
    var warnings: [String] {
        guard minimumLength < Self.recommendedLength else { return [] }
        return [
            "\(Setting.passwordMinimumLength.path): \(minimumLength) characters are few. A password is the only factor "
                + "here, and NIST SP 800-63B-4 wants \(Self.recommendedLength) then"
        ]
    }
}
