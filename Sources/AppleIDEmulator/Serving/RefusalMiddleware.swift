import AppleIDTypes
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns every error into a response, in the form that the client expects.
///
/// The control calls answer `{"error", "message"}`, Apple's endpoints `{"error", "error_description"}`, and a browser
/// gets a page. An unexpected error is logged, and answered without any detail.
struct RefusalMiddleware: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore
    let pages: Pages

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as HTTPRefusal {
            response = answer(refusal, to: request)
        } catch let refusal as Refusal {
            response = answer(HTTPRefusal(refusal), to: request)
        } catch let error as HTTPError where error.status == .notFound {
            response = answer(HTTPRefusal(.notFound, "There is nothing at this address."), to: request)
        } catch let error as HTTPParserError {
            // The connection is beyond repair; the server itself answers 400 and closes it.
            throw error
        } catch {
            context.logger.error(
                "A request failed inside the emulator",
                metadata: ["error.type": "\(type(of: error))", "error": "\(Self.safeText(error))"])
            let refusal = HTTPRefusal(.serverError, "The emulator failed; its log says more.")
            response = answer(refusal, to: request)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    private func answer(_ answer: HTTPRefusal, to request: Request) -> Response {
        let refusal = answer.refusal
        RequestRecord.current?.record(refusal)
        let code = JSONText.string(refusal.code.rawValue)
        let description = JSONText.string(refusal.description)
        var response: Response
        if request.isUnder("/emulator") {
            response = .uncachedJSON(.object([("error", code), ("message", description)]), status: answer.status)
        } else if Self.isForClients(request.routedPath) || request.isUnder("/.well-known") || request.wantsJSON {
            let behaviour = core.current.behaviour
            // No report of Apple's `invalid_client` shows a description.
            let isBare =
                behaviour.errorsOmitDescription
                || refusal.code == .invalidClient && Self.isForClients(request.routedPath)
            response = .uncachedJSON(
                .object([
                    ("error", code), ("error_description", isBare ? nil : description),
                    ("email_verified", behaviour.errorsHaveJunk ? .bool(false) : nil),
                ]), status: answer.status)
            response.headers[.emulatorReason] = refusal.reason
        } else {
            response = .page(pages.refusal(refusal), status: answer.status)
        }
        response.headers.append(contentsOf: answer.headers)
        if answer.status == .requestTimeout { response.headers[.connection] = "close" }
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

/// A refusal as an HTTP response: its status is the code's unless an endpoint decides it.
struct HTTPRefusal: Error {
    let refusal: Refusal
    let status: HTTPResponse.Status
    var headers: HTTPFields = [:]

    init(_ refusal: Refusal, status: HTTPResponse.Status? = nil) {
        self.refusal = refusal
        self.status = status ?? refusal.code.status
        headers[.retryAfter] = refusal.retryAfter.map { String($0) }
    }

    init(_ code: Refusal.Code, _ description: String, status: HTTPResponse.Status? = nil) {
        self.init(Refusal(code, description), status: status)
    }
}

extension Refusal.Code {
    /// The status of a response with this code.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest, .invalidClient, .invalidGrant, .invalidScope, .unauthorizedClient, .unsupportedGrantType,
            .invalidJSON, .groupedApp, .noRelayAddress, .twoFactorRequired, .childAccount:
            .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound, .unknownPerson, .unknownTeam, .unknownApp, .unknownService, .unknownKey, .unknownGrant,
            .unknownEmailSource, .unknownMail, .unknownNotification, .unknownFault:
            .notFound
        case .conflict, .snapshotTooLarge: .conflict
        case .unsupportedMediaType: .unsupportedMediaType
        case .temporarilyUnavailable: .tooManyRequests
        case .serverError: .internalServerError
        }
    }
}
