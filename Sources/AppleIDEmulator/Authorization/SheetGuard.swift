import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Serves the sheet under the emulator's own names only: the base URL's host, loopback names, and allowed hosts.
///
/// Otherwise a page whose name was re-bound to this machine could walk through the sheet in a developer's browser and
/// finish a sign-in as one of the made-up people.
struct SheetGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        let baseURL = authority.portal.baseURL
        guard let host = request.head.authority.flatMap({ WebAddress.split($0) })?.host, isOwn(host, baseURL) else {
            throw Refusal(
                .forbidden,
                "The sheet is not served under this host. Open it at \(baseURL), or start the emulator with "
                    + "--allow-host and the host's name.")
        }
        return try await next(request, context)
    }

    private func isOwn(_ host: String, _ baseURL: String) -> Bool {
        WebAddress.isLoopback(host: host) || host == WebAddress(baseURL)?.host
            || authority.configuration.allowedHosts.contains { $0.lowercased() == host }
    }
}
