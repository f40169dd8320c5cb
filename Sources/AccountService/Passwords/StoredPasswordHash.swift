/// The hash of a password as the store has it: by this service, or by another one until its person signs in.
enum StoredPasswordHash: Equatable, Sendable {
    case own(PasswordHash)
    case foreign(ForeignPasswordHash)

    /// Reads a stored hash.
    /// - Throws: ``AccountError/Code/configuration`` for a text of no known form, and for one that this machine can't check.
    init(text: String) throws(AccountError) {
        guard let foreign = ForeignPasswordHash(text: text) else {
            self = .own(try PasswordHash(text: text))
            return
        }
        guard foreign.canBeChecked else {
            throw AccountError(.configuration, "this machine lacks libcrypt, which checks passwords by bcrypt")
        }
        self = .foreign(foreign)
    }

    /// Whether a hash of the present cost is to take its place.
    func needsRehash(for present: PasswordCost) -> Bool {
        switch self {
        case .own(let hash): hash.needsRehash(for: present)
        case .foreign: true
        }
    }

    /// Whether a right password is the whole password for certain. bcrypt reads 72 bytes of a text, so a text of so many
    /// may have a wrong end, or lack its end.
    func comparesAll(of password: Password) -> Bool {
        switch self {
        case .own: true
        case .foreign(let hash): hash.method != .bcrypt || password.text.utf8.count < 72
        }
    }

    /// The bytes that a right password gives.
    var bytes: [UInt8] {
        switch self {
        case .own(let hash): hash.bytes
        case .foreign(let hash): hash.bytes
        }
    }

    /// Compares in a time that does not depend on where the bytes differ.
    func hasBytes(_ other: [UInt8]) -> Bool { bytes.isEqualInConstantTime(to: other) }

    /// Hashes a password in the same way, on the calling thread.
    func bytes(of password: Password) throws -> [UInt8] {
        switch self {
        case .own(let hash): try PasswordHash.bytes(of: password, salt: hash.salt, cost: hash.cost)
        case .foreign(let hash): try hash.bytes(of: password)
        }
    }

    /// The work of the check; nil where only its time tells.
    var cost: PasswordCost? {
        switch self {
        case .own(let hash): hash.cost
        case .foreign(let hash): hash.cost
        }
    }
}
