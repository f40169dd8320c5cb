import AppleID
import AppleIDTypes
import Foundation

/// What a page says that was answered where a sign-in begins.
///
/// Apple shows refusals as pages, perhaps with status 200, perhaps in the language of the reader; its sign-in page is a
/// page, too, and so is what a proxy or Apple's edge shows in its place. So a page counts for what it says beyond
/// doubt.
enum AuthorizationPage {
    /// Each with what it stands for; people see them.
    private static let refusals: [(words: String, code: AppleErrorCode)] = [
        ("Invalid web redirect url", .invalidRequest), ("invalid_client", .invalidClient),
    ]
    /// In the title of each page of our emulator, which shows refusals with another status.
    private static let emulator = "siwa emulator, not Apple"

    /// - Returns: a page that is a refusal as that; a page that begins a sign-in as it was; any other as no answer.
    static func read(_ answer: AppleAnswer, of server: AppleServer) -> AppleAnswer {
        guard case .good(let body) = answer else { return answer }
        let page = shown(String(decoding: body, as: UTF8.self))
        let found = refusals.filter { page.contains($0.words) }
        if found.count == 1 { return .refused(found[0].code, description: nil) }
        guard found.isEmpty, server != .apple, page.contains(emulator) else {
            return .none("a page that does not tell")
        }
        return answer
    }

    /// Without scripts and styles: among them may be the words for every refusal there is.
    private static func shown(_ page: String) -> String {
        ["script", "style"].reduce(page) { page, element in
            var shown = ""
            var rest = page[...]
            while let start = rest.range(of: "<\(element)", options: .caseInsensitive) {
                shown += rest[..<start.lowerBound]
                guard let end = rest[start.upperBound...].range(of: "</\(element)", options: .caseInsensitive) else {
                    return shown
                }
                rest = rest[end.upperBound...]
            }
            return shown + rest
        }
    }
}
