/// Why a secret could not be kept or had. Equal to another error with the same code. It never holds a secret.
public struct SecretStorageError: Error, Equatable, CustomStringConvertible {
    public let code: Code
    /// For people, in one line.
    public let reason: String
    /// What to do about it, in one line.
    public let hint: String?

    public init(_ code: Code, _ reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { "\(code): \(reason)" }

    /// What kind of failure it is. Newer versions may know more kinds, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: Hashable, Sendable {
            case toolMissing, serviceMissing, locked, timedOut, unsafePermissions, busy, tooLarge, unreadable, failed
        }

        private let kind: Kind

        /// The program `secret-tool` is not installed.
        public static let toolMissing = Self(kind: .toolMissing)
        /// There is no session bus, or no keyring on it.
        public static let serviceMissing = Self(kind: .serviceMissing)
        /// The keyring is locked, and nobody was there to unlock it.
        public static let locked = Self(kind: .locked)
        /// The keyring gave no answer in time; mostly it waits for somebody to unlock it.
        public static let timedOut = Self(kind: .timedOut)
        /// A file or folder belongs to somebody else, or others may read or write it.
        public static let unsafePermissions = Self(kind: .unsafePermissions)
        /// Another process has held the storage's lock for too long.
        public static let busy = Self(kind: .busy)
        /// The secret is longer than this storage takes.
        public static let tooLarge = Self(kind: .tooLarge)
        /// What is kept under the name was not written by this storage, or is damaged.
        public static let unreadable = Self(kind: .unreadable)
        /// Anything else; the reason says what.
        public static let failed = Self(kind: .failed)

        public var description: String { "\(kind)" }

        /// Whether there is no keyring, which does not change as long as the process runs.
        var isAbsence: Bool { kind == .toolMissing || kind == .serviceMissing }

        /// Whether there is a keyring that gives nothing out, and may at any time.
        var isClosed: Bool { kind == .locked || kind == .timedOut }

        /// Whether a new secret may take the place of one that could not be read for this reason.
        var isReplaceable: Bool { kind == .unreadable || isClosed }
    }
}
