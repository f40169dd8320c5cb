import AccountService
import Foundation

extension KeyRing {
    /// Reads ``Setting/keyRing`` or ``Setting/keyRingFile``; nil after a problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> KeyRing? {
        if let file = reader.text(.keyRingFile) { return read(&reader, file: file) }
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

    private static func read(_ reader: inout SettingsReader, file: String) -> KeyRing? {
        guard reader.text(.keyRing, isSecret: true) == nil else {
            reader.report(.keyRingFile, "is there beside \(Setting.keyRing.path); only one can be")
            return nil
        }
        guard let content = FileManager.default.contents(atPath: file) else {
            reader.report(.keyRingFile, "the file \(file) cannot be read")
            return nil
        }
        do {
            return try KeyRing(parsing: String(decoding: content, as: UTF8.self))
        } catch {
            reader.report(.keyRingFile, error.reason)
            return nil
        }
    }
}
