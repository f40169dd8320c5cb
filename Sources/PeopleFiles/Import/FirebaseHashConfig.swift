package import AccountService
package import CommandIO

extension FirebaseScrypt {
    private enum Name: String, CaseIterable {
        case algorithm, signerKey = "base64_signer_key", saltSeparator = "base64_salt_separator", rounds, memoryCost =
            "mem_cost"
    }

    /// Reads the parameters as Firebase's console shows them under Password Hash Parameters:
    ///
    /// ```
    /// hash_config {
    ///   algorithm: SCRYPT,
    ///   base64_signer_key: …,
    ///   base64_salt_separator: Bw==,
    ///   rounds: 8,
    ///   mem_cost: 14,
    /// }
    /// ```
    /// - Throws: ``Failure`` that quotes nothing from the file.
    package init(hashConfig text: String) throws(Failure) {
        var values: [Name: String] = [:]
        for line in text.split(whereSeparator: { $0.isNewline || $0 == "," || $0 == "{" || $0 == "}" }) {
            let parts = line.split(separator: ":", maxSplits: 1).map { part in
                part.filter { !$0.isWhitespace && $0 != "\"" }
            }
            if parts.count == 2, let name = Name(rawValue: parts[0]) { values[name] = parts[1] }
        }
        if let algorithm = values[.algorithm], algorithm != "SCRYPT" {
            throw Failure("--hash-config: the algorithm isn't SCRYPT, which is Firebase's own", isUsage: true)
        }
        guard let signerKey = values[.signerKey].flatMap(Base64Text.bytes),
            let separator = values[.saltSeparator].flatMap(Base64Text.bytes),
            let rounds = values[.rounds].flatMap({ Int($0) }), let memoryCost = values[.memoryCost].flatMap({ Int($0) })
        else {
            throw Failure(
                "--hash-config: one of base64_signer_key, base64_salt_separator, rounds and mem_cost is missing",
                hint: "copy the block from Firebase's console: Authentication, Users, ⋮, Password hash parameters",
                isUsage: true)
        }
        guard
            let scrypt = FirebaseScrypt(
                signerKey: signerKey, saltSeparator: separator, rounds: rounds, memoryCost: memoryCost)
        else { throw Failure("--hash-config: a number or the signer key is out of bounds", isUsage: true) }
        self = scrypt
    }
}
