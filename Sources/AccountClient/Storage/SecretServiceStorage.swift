#if os(Linux)
    public import Foundation

    /// The desktop's keyring on Linux: the Secret Service (`org.freedesktop.secrets`), through the program
    /// `secret-tool` of libsecret.
    ///
    /// The secret goes to the program by its standard input, and never into an argument or a file. A keyring that waits
    /// for somebody to unlock it is given three seconds; then the program is killed. Service and account of a name are
    /// attributes of the item, which can be read while the keyring is locked.
    ///
    /// Processes may share a secret if they have the same state folder (see ``FileStorage``): one of them writes at a time,
    /// under a lock on the file `siwa/locks/keyring` in it. If another process holds the lock for too long, a call throws
    /// `busy`.
    public struct SecretServiceStorage: SecretStorage {
        private let environment: [String: String]
        private let timeout: Duration
        private let lock: ProcessLock

        /// `secret-tool` reads no more than this from its standard input.
        private static let maximumSecretBytes = 8_000

        /// Makes a storage in the desktop's keyring.
        /// - Parameters:
        ///   - environment: where `PATH`, `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR` are read from.
        ///   - timeout: for each run of the program.
        public init(
            environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Duration = .seconds(3)
        ) {
            self.environment = environment
            self.timeout = timeout
            // An update runs the program four times at most, and each run takes a second longer if it has to be killed.
            lock = ProcessLock("keyring", environment: environment, timeLimit: (timeout + .seconds(1)) * 4)
        }

        /// Reads a secret from the keyring.
        public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
            let outcome = try run(["lookup"] + Self.attributes(of: name))
            if outcome.status == 0 {
                guard let secret = String(validating: outcome.output, as: UTF8.self) else {
                    throw SecretStorageError(.unreadable, "what the keyring has is not text")
                }
                return secret
            }
            try checkAbsence(of: name, outcome)
            return nil
        }

        /// Keeps a secret in the keyring.
        public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in try store(secret, as: name) }
        }

        /// Removes a secret from the keyring.
        public func remove(_ name: SecretName) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in try clear(name) }
        }

        /// Reads a secret and writes the new one under the lock.
        public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in
                if let secret = try change(Result { () throws(SecretStorageError) in try secret(name) }) {
                    try store(secret, as: name)
                } else {
                    try clear(name)
                }
            }
        }

        /// A machine without a keyring needs no lock, and gets no file for it.
        private func withLock(_ work: () throws(SecretStorageError) -> Void) throws(SecretStorageError) {
            _ = try presentTool
            try lock.withLock(work)
        }

        private func store(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            guard secret.utf8.count <= Self.maximumSecretBytes else {
                throw SecretStorageError(
                    .tooLarge, "the keyring takes secrets of \(Self.maximumSecretBytes) bytes at most")
            }
            let outcome = try run(
                ["store", "--label=\(name.service)"] + Self.attributes(of: name), input: Data(secret.utf8))
            guard outcome.status == 0 else { throw Self.failure(outcome) }
        }

        private func clear(_ name: SecretName) throws(SecretStorageError) {
            let outcome = try run(["clear"] + Self.attributes(of: name))
            if outcome.status != 0 { try checkAbsence(of: name, outcome) }
        }

        private static func attributes(of name: SecretName) -> [String] {
            ["service", name.service, "account", name.account]
        }

        /// `secret-tool` prints nothing if there is no item, and also if the item is locked and nobody unlocks it. Without a
        /// difference, a locked keyring would sign people out. So this searches for the item: a search finds locked items, too.
        private func checkAbsence(of name: SecretName, _ outcome: ProgramRun.Outcome) throws(SecretStorageError) {
            guard outcome.status == 1, outcome.isSilent else { throw Self.failure(outcome) }
            let search = try run(["search"] + Self.attributes(of: name))
            guard search.output.isEmpty else { throw Self.locked }
            guard search.status == 0 || search.isSilent else { throw Self.failure(search) }
        }

        private static let locked = SecretStorageError(
            .locked, "the keyring is locked", hint: "Unlock it, for example by logging in to the desktop.")

        private static func failure(_ outcome: ProgramRun.Outcome) -> SecretStorageError {
            // The text is of the C locale, which `run` asks for.
            let message = String(decoding: outcome.errors, as: UTF8.self)
            if message.contains("locked") || message.contains("Prompt was dismissed") { return locked }
            let isMissing = [
                "Could not connect", "Cannot autolaunch", "not provided by any .service files", "ServiceUnknown",
                "Error spawning command line", "NoReply", "Disconnected", "connection is closed",
            ].contains { message.contains($0) }
            if isMissing { return noService }
            return SecretStorageError(.failed, "secret-tool ended with status \(outcome.status)")
        }

        private static let noService = SecretStorageError(
            .serviceMissing, "there is no keyring on the session bus",
            hint: "Start one, such as gnome-keyring or KWallet, or let secrets be kept in a file.")

        private func run(_ arguments: [String], input: Data = Data()) throws(SecretStorageError) -> ProgramRun.Outcome {
            let tool = try presentTool
            var environment = environment
            environment["LC_ALL"] = "C"
            let outcome = try ProgramRun(program: tool, arguments: arguments, environment: environment)
                .run(input: input, timeout: timeout)
            guard let outcome else {
                throw SecretStorageError(
                    .timedOut, "the keyring gave no answer within \(timeout)",
                    hint: "It may be waiting to be unlocked.")
            }
            return outcome
        }

        /// The program, if there is also a bus on which it can look for a keyring.
        private var presentTool: URL {
            get throws(SecretStorageError) {
                guard let tool else {
                    throw SecretStorageError(
                        .toolMissing, "secret-tool is not installed",
                        hint: "Install it (Debian: libsecret-tools), or let secrets be kept in a file.")
                }
                guard hasBus else { throw Self.noService }
                return tool
            }
        }

        private var tool: URL? {
            (environment["PATH"] ?? "").split(separator: ":").lazy
                .filter { $0.hasPrefix("/") }
                .map { URL(filePath: String($0)).appending(path: "secret-tool") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
        }

        /// Whether there is a session bus. Without an address, the bus library would start a new bus, which has no secrets.
        private var hasBus: Bool {
            if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
            guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
            return FileManager.default.fileExists(atPath: folder + "/bus")
        }
    }
#endif
