/// The content of a mail, found among its parts: the first plain text, and the first HTML.
///
/// It reads 100 parts at most, and parts within parts down to a depth of eight. The mail's source has the rest.
struct MailBody: Sendable {
    private static let maximumDepth = 8
    private static let maximumParts = 100

    private(set) var text: String?
    private(set) var html: String?
    private var parts = 0

    init(of content: [UInt8]) {
        read(content[...], depth: 0)
    }

    private mutating func read(_ content: ArraySlice<UInt8>, depth: Int) {
        parts += 1
        guard depth <= Self.maximumDepth, parts <= Self.maximumParts else { return }
        let header = MailHeader(of: content)
        let body = content.dropFirst(header.end)
        let type = MediaType(header["Content-Type"].first ?? "text/plain")
        if type.name.hasPrefix("multipart/") {
            guard let boundary = type.parameters["boundary"], !boundary.isEmpty else { return }
            for part in Self.parts(of: body, boundary: boundary) { read(part, depth: depth + 1) }
            return
        }
        let isAttachment = header["Content-Disposition"].first.map { MediaType($0).name == "attachment" } ?? false
        guard !isAttachment, (type.name == "text/plain" && text == nil) || (type.name == "text/html" && html == nil)
        else { return }
        let coding = header["Content-Transfer-Encoding"].first?.lowercased() ?? "7bit"
        let decoded = TransferCoding.text(
            TransferCoding.decode(body, coding), charset: type.parameters["charset"]
        ).replacing("\r\n", with: "\n")
        if type.name == "text/html" { html = decoded } else { text = decoded }
    }

    /// The parts between the lines that begin with the boundary (RFC 2046 §5.1.1). The line break before such a line
    /// belongs to it.
    private static func parts(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var line = body.startIndex
        while line < body.endIndex {
            let lineEnd = body[line...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? body.endIndex
            let tail = String(decoding: body[line..<lineEnd].dropFirst(mark.count).prefix(4), as: UTF8.self)
            if body[line..<lineEnd].starts(with: mark), tail.hasPrefix("--") || tail.first?.isWhitespace ?? true {
                if let start { parts.append(body[start..<max(start, line - 2)]) }
                start = tail.hasPrefix("--") ? nil : lineEnd
                if start == nil || parts.count >= maximumParts { return parts }
            }
            line = lineEnd
        }
        if let start { parts.append(body[start...]) }
        return parts
    }
}

/// A `Content-Type` or `Content-Disposition`: a word with parameters (RFC 2045 §5.1).
struct MediaType: Hashable, Sendable {
    /// Lowercase.
    let name: String
    /// The parameters by lowercase name; the first of several counts.
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
