import HTTPTypes
import Hummingbird
import NIOCore

/// Serves what pages load.
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
