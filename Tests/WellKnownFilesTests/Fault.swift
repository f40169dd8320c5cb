import Testing
import WellKnownFiles

/// A file that is refused: its content, and what the error says.
struct Fault: CustomTestStringConvertible, Sendable {
    let text: String
    let code: WellKnownFileError.Code
    let place: String
    /// A part of the reason.
    let reason: String

    init(_ text: String, _ code: WellKnownFileError.Code, at place: String = "", _ reason: String) {
        self.text = text
        self.code = code
        self.place = place
        self.reason = reason
    }

    var testDescription: String { "\(code) \(text.prefix(80))" }

    func expect(of file: WellKnownFile, location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: WellKnownFileError.self, sourceLocation: location) {
            try file.check(Array(text.utf8))
        }
        #expect(error?.code == code, sourceLocation: location)
        #expect(error?.place == place, sourceLocation: location)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")", sourceLocation: location)
    }
}
