import Testing

@testable import AccountService

@Suite("Hashes of passwords")
struct PasswordHashTests {
    private static let cost = PasswordCost(roundsExponent: 4, blockSize: 1, parallelism: 1)
    private static let hash = PasswordHash(
        cost: cost, salt: [UInt8](repeating: 1, count: 16), bytes: [UInt8](repeating: 2, count: 32))
    private static let salt = "AQEBAQEBAQEBAQEBAQEBAQ"
    private static let bytes = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"

    /// The first 32 of the 64 bytes of each vector: scrypt's output is PBKDF2's, whose blocks of 32 bytes are
    /// independent. The fourth vector takes 1 GiB.
    @Test(
        "The hashes match the vectors of RFC 7914, section 12",
        arguments: [
            ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
            ("password", "NaCl", 10, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            ),
        ])
    func vectors(password: String, salt: String, exponent: Int, block: Int, parallelism: Int, expected: String) throws {
        let bytes = try PasswordHash.bytes(
            of: Password(password), salt: Array(salt.utf8),
            cost: PasswordCost(roundsExponent: exponent, blockSize: block, parallelism: parallelism))
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    @Test("The default cost is OWASP's")
    func standard() {
        #expect(PasswordSettings().cost == PasswordCost(roundsExponent: 15, blockSize: 8, parallelism: 3))
        #expect(PasswordSettings().minimumLength == 15)
        #expect(PasswordSettings().hashers == 2)
    }

    @Test(
        "The minimum length is limited to between 8 and 64",
        arguments: [(7, 8), (0, 8), (8, 8), (15, 15), (64, 64), (65, 64)])
    func minimumLength(asked: Int, given: Int) {
        #expect(PasswordSettings(minimumLength: asked).minimumLength == given)
    }

    @Test("The text has the parameters, the salt and the hash, and is read again")
    func text() throws {
        #expect(Self.hash.text == "scrypt$ln=4,r=1,p=1$\(Self.salt)$\(Self.bytes)")
        #expect(try PasswordHash(text: Self.hash.text) == Self.hash)
        #expect(!"\(Self.hash)".contains(Self.bytes))
    }

    @Test(
        "Any other text is an error",
        arguments: [
            "", "scrypt", "scrypt$ln=4,r=1,p=1$\(salt)", "scrypt$ln=4,r=1,p=1$\(salt)$\(bytes)$",
            "$scrypt$ln=4,r=1,p=1$\(salt)$\(bytes)", "argon2id$ln=4,r=1,p=1$\(salt)$\(bytes)",
            "scrypt$ln=0,r=1,p=1$\(salt)$\(bytes)", "scrypt$ln=21,r=1,p=1$\(salt)$\(bytes)",
            "scrypt$ln=4,r=0,p=1$\(salt)$\(bytes)", "scrypt$ln=4,r=33,p=1$\(salt)$\(bytes)",
            "scrypt$ln=4,r=1,p=0$\(salt)$\(bytes)", "scrypt$ln=4,r=1,p=17$\(salt)$\(bytes)",
            "scrypt$ln=04,r=1,p=1$\(salt)$\(bytes)", "scrypt$ln=+4,r=1,p=1$\(salt)$\(bytes)",
            "scrypt$ln=4,p=1,r=1$\(salt)$\(bytes)", "scrypt$ln=4,r=1$\(salt)$\(bytes)",
            "scrypt$ln=4,r=1,p=1,x=1$\(salt)$\(bytes)", "scrypt$4,1,1$\(salt)$\(bytes)",
            "scrypt$ln=4,r=1,p=1$\(salt)A$\(bytes)", "scrypt$ln=4,r=1,p=1$\(salt)==$\(bytes)",
            "scrypt$ln=4,r=1,p=1$\(salt)$\(salt)", "scrypt$ln=4,r=1,p=1$$\(bytes)",
            "scrypt$ln=4,r=1,p=1$\(salt)$", "scrypt$ln=4,r=1,p=1$\(salt)$\(bytes.dropLast())J",
        ])
    func wrongText(text: String) async {
        let error = await expectError(.configuration) { _ = try PasswordHash(text: text) }
        #expect(error?.reason.contains("$") == false)
    }

    @Test(
        "A hash is renewed only if a parameter has risen",
        arguments: [
            (4, 1, 1, false), (5, 1, 1, true), (4, 2, 1, true), (4, 1, 2, true), (3, 1, 1, false), (3, 1, 2, true),
        ])
    func rehash(exponent: Int, block: Int, parallelism: Int, isNeeded: Bool) {
        let present = PasswordCost(roundsExponent: exponent, blockSize: block, parallelism: parallelism)
        #expect(Self.hash.needsRehash(for: present) == isNeeded)
    }
}
