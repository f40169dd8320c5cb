import AppleIDTypes
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Stands around everything: turns what was thrown into an answer, in the shape that the asker expects.
///
/// The control calls answer `{"error", "message"}`, Apple's endpoints `{"error", "error_description"}`, and a browser
/// gets a page. What nobody foresaw is logged, and answered without any detail.
struct RefusalMiddleware: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority
    let pages: Pages

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as Refusal {
            response = answer(refusal, to: request)
        } catch let error as HTTPError where error.status == .notFound {
            response = answer(Refusal(.notFound, "There is nothing at this address."), to: request)
        } catch let error as HTTPParserError {
            // The connection is beyond repair; the server itself answers 400 and closes it.
            throw error
        } catch {
            context.logger.error(
                "A request failed inside the emulator",
                metadata: ["error.type": "\(type(of: error))", "error": "\(Self.safeText(error))"])
            let refusal = Refusal(.serverError, "The emulator failed; its log says more.")
            response = answer(refusal, to: request)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    private func answer(_ refusal: Refusal, to request: Request) -> Response {
        RequestNote.current?.note(refusal)
        let code = JSONText.string(refusal.code.rawValue)
        let description = JSONText.string(refusal.description)
        var response: Response
        if request.isUnder("/emulator") {
            response = .uncachedJSON(.object([("error", code), ("message", description)]), status: refusal.status)
        } else if Self.isForClients(request.routedPath) || request.isUnder("/.well-known") || request.wantsJSON {
            let quirks = authority.current.quirks
            // No report of Apple's `invalid_client` shows a description.
            let isBare =
                quirks.contains(.bareErrors)
                || refusal.code == .invalidClient && Self.isForClients(request.routedPath)
            response = .uncachedJSON(
                .object([
                    ("error", code), ("error_description", isBare ? nil : description),
                    ("email_verified", quirks.contains(.junkInErrors) ? .bool(false) : nil),
                ]), status: refusal.status)
            response.headers[.emulatorReason] = refusal.reason
        } else {
            response = .page(pages.refusal(refusal), status: refusal.status)
        }
        response.headers.append(contentsOf: refusal.headers)
        if refusal.status == .requestTimeout { response.headers[.connection] = "close" }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Addresses that only servers call.
    private static func isForClients(_ path: String) -> Bool {
        ["/auth/token", "/auth/keys", "/auth/revoke", "/auth/usermigrationinfo"].contains(path)
    }

    /// Our own errors hold no secret; of others only the type is told.
    private static func safeText(_ error: any Error) -> String {
        (error as? EmulatorError)?.description ?? "-"
    }
}
