import AccountEngines
import AccountHTTP
import AccountService
import AppleIDEmulator
import AppleIDTesting
import Foundation

/// The commits whose program left a recording behind, in `Recorded/COMMIT/ENGINE`.
enum EarlierProgram: String, CaseIterable {
    /// Before refresh tokens carried a generation.
    case unsignedRefreshTokens = "74c801c"
    /// Before the rules and the statements of accounts were in one target.
    case separateStatements = "f6d5151"
}

/// A service that an earlier program left behind: its database, the state file of its emulator, the secrets that its
/// clients hold, and its answers to them.
///
/// The files are never written again: they stand for the databases that people have.
struct RecordedSystem {
    let record: Record
    let system: TestSystem

    /// Opens the recorded database with the service of today, a minute after the recording.
    init(_ program: EarlierProgram, on engine: Engine, in folder: URL) async throws {
        let recorded = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Recorded/\(program.rawValue)/\(engine.rawValue)")
        record = try JSONDecoder().decode(Record.self, from: Data(contentsOf: recorded.appending(path: "record.json")))
        let stateFile = folder.appending(path: "emulator-state.json")
        try FileManager.default.copyItem(at: recorded.appending(path: "emulator-state.json"), to: stateFile)
        let clock = TestClock(Date(timeIntervalSince1970: record.recordedAt + 60))
        system = try await TestSystem(
            emulator: Emulator.forTests(
                clock: clock,
                configuration: EmulatorConfiguration(baseURL: TestSystem.emulatorURL, stateFile: stateFile.path)),
            store: engine.store(recordedIn: recorded, folder: folder), clock: clock)
    }

    struct Record: Decodable {
        let recordedAt: TimeInterval
        let ada: Ada
        let grace: Grace
        let waiting: Waiting
        /// Only in the later recording, as is ``device``.
        let lost: Lost?
        let device: Device?
        /// The calls that were made last, by name.
        let answers: [String: Call]
        /// The emulator's ids of the people.
        let people: [String: String]

        /// Signed in on two devices. The first session was refreshed three times.
        struct Ada: Decodable {
            let account: String
            let accessToken: String
            /// The session's refresh tokens from the first to the current one.
            let refreshTokens: [String]
        }

        /// Signed in with a browser.
        struct Grace: Decodable {
            let cookies: [String: String]
        }

        /// A browser that has been sent to Apple, and the address of the page there.
        struct Waiting: Decodable {
            let cookies: [String: String]
            let location: String
        }

        /// An app that exchanged its refresh token and never got the answer.
        struct Lost: Decodable {
            let refreshToken: String
            let attempt: String
            /// The refresh token in the answer.
            let successor: String
        }

        /// A device that shows a user code.
        struct Device: Decodable {
            let deviceCode: String
            let userCode: String
            let codeVerifier: String
        }

        struct Call: Decodable {
            let path: String
            let token: String?
            let status: Int
            let body: JSONTree
        }
    }
}

/// Any JSON value, for comparing what was answered with what is answered.
enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    /// The paths at which `later` lacks something of this value or has something else. A member that only `later` has
    /// is allowed, because answers may gain members.
    func differences(from later: JSONTree, at path: String = "") -> [String] {
        switch (self, later) {
        case (.object(let members), .object(let others)):
            members.sorted { $0.key < $1.key }.flatMap { name, value in
                others[name].map { value.differences(from: $0, at: path + "." + name) } ?? ["\(path).\(name) is absent"]
            }
        case (.array(let values), .array(let others)) where values.count == others.count:
            zip(values, others).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(path)[\(index)]")
            }
        default:
            self == later ? [] : ["\(path): \(self) became \(later)"]
        }
    }
}
