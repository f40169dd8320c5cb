import ArgumentParser
import CommandIO

#if PostgreSQL
    import AccountPostgres
#endif

/// A secret that stands on the command line itself, where other users of the machine can read it while the command
/// runs.
struct ExposedSecret: Hashable {
    /// The secret, by the option or argument that holds it.
    let name: String
    /// The option that takes the secret from a file.
    let file: String

    /// The warning for the person. It never holds the secret.
    var warning: String {
        "\(name) is on the command line, where other users of this machine can read it; \(file) takes it from a file"
    }

    /// Finds all of a command and its groups of options.
    static func all(in command: any ParsableArguments) -> [Self] {
        let groups = Mirror(reflecting: command).children.compactMap { ($0.value as? any GroupOfOptions)?.options }
        return ((command as? any SecretOptions)?.exposedSecrets ?? []) + groups.flatMap(all)
    }

    /// Warns of each, once. The program calls it when it has read its command line.
    static func warn(of command: any ParsableArguments) {
        for secret in all(in: command) { complain("warning: \(secret.warning)") }
    }
}

/// A command, or a group of options, that takes secrets on the command line.
protocol SecretOptions: ParsableArguments {
    /// The secrets on the command line.
    var exposedSecrets: [ExposedSecret] { get }
}

extension SecretOptions {
    /// An option that holds a secret; nil where it was not given.
    func exposed(_ value: String?, _ name: String, file: String) -> ExposedSecret? {
        guard let value, !value.isEmpty else { return nil }
        return ExposedSecret(name: name, file: file)
    }

    /// The option of a setting that holds a secret; nil where it was not given.
    func exposed(_ value: String?, _ setting: Setting) -> ExposedSecret? {
        exposed(value, "--\(setting.name)", file: "--\(setting.secretFile.name)")
    }

    /// A password in the address of a database; nil if there is none.
    /// - Parameters:
    ///   - name: the option or argument with the address.
    ///   - file: what takes the password from a file.
    func exposedPassword(
        _ address: String?, in name: String = "--\(Setting.database.name)",
        file: String = "--\(Setting.database.secretFile.name)"
    ) -> ExposedSecret? {
        #if PostgreSQL
            guard let address, DatabaseLocation.isPostgres(address), PostgresDatabase.hasPassword(address: address)
            else { return nil }
            return ExposedSecret(name: "the password in \(name)", file: file)
        #else
            // In a build without PostgreSQL no such address is taken.
            return nil
        #endif
    }
}

/// An `@OptionGroup` of any type.
private protocol GroupOfOptions {
    var options: any ParsableArguments { get }
}

extension OptionGroup: GroupOfOptions {
    fileprivate var options: any ParsableArguments { wrappedValue }
}

// MARK: The commands

extension ServeCommand: SecretOptions {
    var exposedSecrets: [ExposedSecret] {
        [
            exposed(keyRing, .keyRing), exposed(webhookSecret, .webhookSecret), exposed(mailPassword, .mailPassword),
        ].compactMap(\.self)
    }
}

extension ExaminedSettings: SecretOptions {
    var exposedSecrets: [ExposedSecret] { [exposedPassword(database)].compactMap(\.self) }
}

extension StoreOptions: SecretOptions {
    var exposedSecrets: [ExposedSecret] { [exposedPassword(database)].compactMap(\.self) }
}

extension ImportCommand: SecretOptions {
    var exposedSecrets: [ExposedSecret] {
        [exposedPassword(file, in: "FILE", file: "passfile=PATH in the address")].compactMap(\.self)
    }
}

extension TokenInput: SecretOptions {
    var exposedSecrets: [ExposedSecret] { [exposed(token, "the token", file: "--file")].compactMap(\.self) }
}

extension TokenVerifyCommand: SecretOptions {
    var exposedSecrets: [ExposedSecret] {
        [
            exposed(code, "--code", file: "--code-file"),
            exposed(accessToken, "--access-token", file: "--access-token-file"),
        ].compactMap(\.self)
    }
}

extension AppleKeysCommand: SecretOptions {
    var exposedSecrets: [ExposedSecret] { [exposed(token, "--token", file: "--token-file")].compactMap(\.self) }
}
