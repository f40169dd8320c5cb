import AccountAPI
import HTTPTypes
import Hummingbird
import WellKnownFiles

/// Serves the files of the operator's settings, byte by byte as the operator wrote them.
struct WellKnownFileController: Sendable {
    let files: PublishedFiles

    @Sendable func appSiteAssociation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try response(.appSiteAssociation)
    }

    @Sendable func assetLinks(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try response(.assetLinks)
    }

    @Sendable func domainAssociation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try response(.domainAssociation)
    }

    @Sendable func securityText(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try response(.securityText)
    }

    /// The files are public and the same for all, so caches may hold them. Five minutes, so that a changed file is soon
    /// seen.
    private func response(_ file: WellKnownFile) throws -> Response {
        guard let content = files.content(of: file) else {
            throw HTTPFailure(.notFound, "There is nothing at this path.")
        }
        return Response(
            status: .ok, headers: [.contentType: file.contentType, .cacheControl: "public, max-age=300"],
            body: ResponseBody(byteBuffer: content))
    }
}
