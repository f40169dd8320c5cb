/// A `Content-Type` or `Content-Disposition`: a word with parameters (RFC 2045 §5.1).
struct MediaType: Hashable, Sendable {
    /// Lowercase.
    let name: String
    /// By lowercase name; the first of several counts.
    let parameters: [String: String]

    init(_ field: String) {
        var pieces: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in field {
            if isEscaped {
                pieces[pieces.count - 1].append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        name = pieces[0].trimmingSpaces.lowercased()
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() {
            guard let sign = piece.firstIndex(of: "=") else { continue }
            let key = piece[..<sign].trimmingSpaces.lowercased()
            if parameters[key] == nil {
                parameters[key] = String(piece[piece.index(after: sign)...].trimmingSpaces)
            }
        }
        self.parameters = parameters
    }
}
