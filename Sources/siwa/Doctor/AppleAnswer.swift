import AppleID
import AppleIDTypes
import Foundation
import StrictJSON

/// What came back from one of Apple's endpoints, read for a diagnosis.
enum AppleAnswer: Sendable, Equatable {
    case good(body: [UInt8])
    /// One of Apple's words. The description is undocumented: it is shown and never decides.
    case refused(AppleErrorCode, description: String?)
    case throttled
    /// Something that stands before Apple, or nobody, answered.
    case none(String)

    init(_ response: AppleResponse) {
        if response.status == 429 {
            self = .throttled
        } else if response.status == 200 {
            self = .good(body: response.body)
        } else if (400..<500).contains(response.status), let refusal = Self.refusal(in: response.body) {
            self = refusal
        } else {
            self = .none("status \(response.status), and not in Apple's words")
        }
    }

    private static func refusal(in body: [UInt8]) -> Self? {
        do {
            let root = try JSONDocument(body).root
            guard let word = root["error"]?.string, !word.isEmpty else { return nil }
            return .refused(
                AppleErrorCode(TextForPeople.quoted(word, limit: 40)),
                description: root["error_description"]?.string.map { TextForPeople.quoted($0) })
        } catch {
            // A page of the edge instead of an answer: the caller says so.
            return nil
        }
    }
}
