import Crypto

/// A file that pages load. Its name holds a hash of its content, so that browsers may keep it for ever.
struct Asset: Sendable {
    let path: String
    let contentType: String
    let content: String

    init(name: String, extension: String, contentType: String, content: String) {
        let hash = SHA256.hash(data: Array(content.utf8)).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        self.path = "/assets/\(name)-\(hash.joined()).\(`extension`)"
        self.contentType = contentType
        self.content = content
    }
}
