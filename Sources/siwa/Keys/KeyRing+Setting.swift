import AccountService

extension KeyRing {
    /// Reads ``Setting/keyRing``; nil after a problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> KeyRing? {
        guard
            let text = reader.requiredText(
                .keyRing, isSecret: true,
                what: "the server's secret keys, `id:base64` of 32 random bytes; one is made by: "
                    + "echo \"k1:$(head -c 32 /dev/urandom | base64)\"")
        else { return nil }
        do {
            return try KeyRing(parsing: text)
        } catch {
            reader.report(.keyRing, error.reason)
            return nil
        }
    }
}
