import NIOHTTP1

/// The rules for a request's head that decide where the request ends and whom it is for (RFC 9112).
///
/// NIO's decoder refuses contradicting lengths and broken chunks by itself. These rules cover what it lets through.
struct RequestFraming {
    /// The status of the response to a head that breaks a rule; nil for a good head. The connection closes after it.
    private(set) var refusal: HTTPResponseStatus?
    /// Whether the client asks for another protocol. The decoder reads nothing after such a request.
    private(set) var asksForUpgrade = false

    init(_ head: HTTPRequestHead) {
        var hosts = 0
        var hasUpgrade = false
        var connectionNamesUpgrade = false
        for (name, value) in head.headers {
            // Most headers differ from these in the length of their name, which is faster to compare than letters.
            switch name.utf8.count {
            case 4 where name.isField("host"):
                hosts += 1
                if value.isEmpty { refusal = .badRequest }
            case 7 where name.isField("upgrade"):
                hasUpgrade = true
            case 10 where name.isField("connection"):
                connectionNamesUpgrade = connectionNamesUpgrade || value.names("upgrade")
            case 17 where name.isField("transfer-encoding"):
                // §6.1: HTTP/1.0 has no transfer codings, and this server decodes none but `chunked`.
                if head.version.isOld {
                    refusal = .badRequest
                } else if !value.isField("chunked") {
                    refusal = refusal ?? .notImplemented
                }
            default: break
            }
        }
        // §3.2: exactly one in HTTP/1.1; older clients may leave it out.
        if hosts > 1 || hosts == 0 && !head.version.isOld { refusal = .badRequest }
        asksForUpgrade = head.method == .CONNECT || hasUpgrade && connectionNamesUpgrade
    }
}

extension HTTPVersion {
    /// Whether it is HTTP/1.0; the decoder takes no other than 1.x.
    var isOld: Bool { minor == 0 }
}

extension StringProtocol {
    /// Compares with a word in lower case, ignoring the case of ASCII letters.
    func isField(_ word: String) -> Bool {
        utf8.elementsEqual(word.utf8) { $0 | 0x20 == $1 }
    }

    /// Whether a comma-separated list has the word, which is in lower case.
    func names(_ word: String) -> Bool {
        split(separator: ",").contains { part in
            part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.isField(word)
        }
    }
}
