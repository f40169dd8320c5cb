#if os(Linux)
    import AccountClient
    import Foundation
    import Glibc

    /// A session bus with an unlocked keyring of its own, as a desktop has it; both end with the work.
    struct KeyringSession: Sendable {
        /// The environment of a program on that desktop.
        let environment: [String: String]
        private let commands: FileHandle
        private let answers: FileHandle

        /// Run under a new bus. It says where the bus is, locks or unlocks the keyring as it is told, and ends with its
        /// input.
        private static let script = """
            set -eu
            printf 'password\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null
            pid() {
                dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
                    org.freedesktop.DBus.GetConnectionUnixProcessID "string:$1" | sed -n 's/.*uint32 //p'
            }
            # A daemon takes its name on the bus a moment after its command has ended, and a question to a name without
            # an owner would start another daemon, which is locked.
            is_unlocked() {
                dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
                    org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q 'boolean true' &&
                dbus-send --session --print-reply --dest=org.freedesktop.secrets \
                    /org/freedesktop/secrets/collection/login org.freedesktop.DBus.Properties.Get \
                    string:org.freedesktop.Secret.Collection string:Locked | grep -q 'boolean false'
            }
            wait_until_unlocked() {
                tries=0
                until is_unlocked; do
                    tries=$((tries + 1))
                    [ "$tries" -lt 600 ] || break
                    sleep 0.05
                done
            }
            wait_until_unlocked
            keyring=$(pid org.freedesktop.secrets)
            echo "$DBUS_SESSION_BUS_ADDRESS"
            while read -r command; do
                case $command in
                lock) dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
                    org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login ;;
                unlock) printf 'password\\n' | gnome-keyring-daemon --replace --unlock --components=secrets
                    wait_until_unlocked
                    keyring=$(pid org.freedesktop.secrets) ;;
                esac >/dev/null
                echo "$command: done"
            done
            kill "$keyring"
            """

        /// The keyring there. It has more time than usual, since the machine of a test may be busy.
        var storage: SecretServiceStorage {
            SecretServiceStorage(environment: environment, timeout: .seconds(60))
        }

        /// Locks the keyring. Nobody is there to unlock it.
        func lock() async throws { try await tell("lock") }

        /// Another keyring daemon with the same keyring takes over, as at the next login.
        func unlock() async throws { try await tell("unlock") }

        /// A folder that is there as long as the keyring.
        var folder: URL? { environment["HOME"].map { URL(filePath: $0).appending(path: "absent") } }

        private func tell(_ command: String) async throws {
            _ = try await onThread { [commands, answers] in
                try commands.write(contentsOf: Data("\(command)\n".utf8))
                return Self.line(from: answers)
            }
        }

        static func run(_ work: (KeyringSession) async throws -> Void) async throws {
            try await withTemporaryFolder { folder in
                let home = folder.appending(path: "home")
                let runtime = folder.appending(path: "run")
                for folder in [home, runtime] {
                    try FileManager.default.createDirectory(
                        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                }
                var environment = [
                    "HOME": home.path, "XDG_RUNTIME_DIR": runtime.path, "LC_ALL": "C",
                    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                ]
                let (input, output) = (Pipe(), Pipe())
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/dbus-run-session")
                process.arguments = ["--", "/bin/sh", "-c", script]
                process.environment = environment
                process.standardInput = input
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                let (ends, end) = AsyncStream.makeStream(of: Void.self)
                process.terminationHandler = { _ in end.finish() }
                try runUnblocked(process)
                let answers = output.fileHandleForReading
                environment["DBUS_SESSION_BUS_ADDRESS"] = try await onThread { line(from: answers) }
                let session = KeyringSession(
                    environment: environment, commands: input.fileHandleForWriting, answers: answers)
                let result: Result<Void, any Error>
                do {
                    result = .success(try await work(session))
                } catch {
                    result = .failure(error)
                }
                try input.fileHandleForWriting.close()
                for await _ in ends {}
                try result.get()
            }
        }

        /// Dispatch queues block signals, and programs inherit that: a bus that hears of no child's end waits for ever.
        private static func runUnblocked(_ process: Process) throws {
            var (all, former) = (sigset_t(), sigset_t())
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_UNBLOCK, &all, &former)
            defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
            try process.run()
        }

        private static func line(from handle: FileHandle) -> String {
            var line = Data()
            while let byte = try? handle.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
#endif
