import HTTPTypes
import Hummingbird

extension Request {
    /// Whether an error is to be told in a page: outside the programs' paths, to whoever asks for HTML.
    var wantsPage: Bool {
        let first = uri.path.split(separator: "/", maxSplits: 1).first
        if let first, Self.programPaths.contains(first) { return false }
        return headers[values: .accept].contains { field in
            field.split(separator: ",").contains { range in
                let type = range.prefix { $0 != ";" }.filter { !$0.isWhitespace }
                return type.lowercased() == "text/html"
            }
        }
    }

    private static let programPaths: Set<Substring> = ["v1", "apple", ".well-known", "healthz", "readyz"]
}
