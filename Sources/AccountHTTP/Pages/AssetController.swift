import HTTPTypes
import Hummingbird
import NIOCore

/// Serves what pages load.
struct AssetController: Sendable {
    let assets: [Asset]

    func addRoutes(to router: some RouterMethods<ServiceContext>) {
        for asset in assets {
            router.get(RouterPath(asset.path)) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: asset.contentType, .cacheControl: "public, max-age=31536000, immutable",
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: asset.content))
                )
            }
        }
    }
}
