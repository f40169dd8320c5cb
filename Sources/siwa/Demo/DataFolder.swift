import AccountService
import AppleID
import Foundation

/// The folder in which a demo keeps its state: given by name and kept, or made for one run and removed.
struct DataFolder: Sendable {
    let path: String
    private let isTemporary: Bool

    /// - Parameter path: nil for a temporary folder.
    init(path: String?) throws {
        let files = FileManager.default
        if let path {
            self.path = path
            isTemporary = false
        } else {
            self.path = files.temporaryDirectory.appending(path: "siwa-demo-\(UUID().uuidString)").path
            isTemporary = true
        }
        do {
            try files.createDirectory(
                atPath: self.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure("the folder \(self.path) cannot be made", hint: "give another one with --data")
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The folder's key ring: made at the first start, readable by its owner alone.
    func keyRing() throws -> KeyRing {
        let file = file("key-ring")
        if let text = FileManager.default.contents(atPath: file) {
            return try KeyRing(parsing: String(decoding: text, as: UTF8.self))
        }
        let text = KeyRing.newText(id: "demo", randomness: AppleIDEnvironment.live.randomBytes(32))
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else {
            throw Failure("the file \(file) cannot be written")
        }
        return try KeyRing(parsing: text)
    }

    /// Removes a temporary folder; a named one stays.
    func discard() {
        guard isTemporary else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            complain("warning: the temporary folder \(path) could not be removed")
        }
    }
}
