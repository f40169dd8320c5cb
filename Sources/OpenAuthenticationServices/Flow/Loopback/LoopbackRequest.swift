import Foundation

/// The head of a request that came to the loopback listener.
package struct LoopbackRequest: Hashable, Sendable {
    package var method: String
    /// Begins with a slash, as it came: nothing is decoded.
    package var path: String
    /// The text behind the question mark, as it came; nil without one.
    package var query: String?
    /// Names in lower case; a name that comes twice has both values.
    private var headers: [String: [String]]

    /// - Parameter head: Everything before the empty line.
    /// - Returns: nil for what is no request of HTTP/1.
    package init?(head: some Collection<UInt8>) {
        guard let text = String(bytes: head, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/") else {
            return nil
        }
        method = String(words[0])
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            let name = line[..<colon].lowercased()
            guard !name.contains(where: \.isWhitespace) else { return nil }
            headers[name, default: []].append(String(line[line.index(after: colon)...].trimming(" \t")))
        }
    }

    /// The value of a header that came exactly once.
    package func header(_ name: String) -> String? {
        guard let values = headers[name], values.count == 1 else { return nil }
        return values[0]
    }

    package func hasHeader(_ name: String) -> Bool { headers[name] != nil }

    /// The query's parameters, decoded; nil when one comes twice or cannot be decoded.
    package var parameters: [String: String]? {
        var parameters: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts[0].removingPercentEncoding,
                let value = (parts.count == 2 ? parts[1] : "").removingPercentEncoding,
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return parameters
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> Substring {
        var rest = self
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return rest
    }
}
