import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

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

/// Serves what pages load.
@available(siwaServer 1.0, *)
struct AssetController: Sendable {
    let assets: [Asset]

    func addRoutes(to router: some RouterMethods<ServiceContext>) {
        for asset in assets {
            // Made once: all answers share its bytes.
            let content = ByteBuffer(string: asset.content)
            router.get(RouterPath(asset.path)) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: asset.contentType, .cacheControl: "public, max-age=31536000, immutable",
                    ],
                    body: ResponseBody(byteBuffer: content)
                )
            }
        }
    }
}
