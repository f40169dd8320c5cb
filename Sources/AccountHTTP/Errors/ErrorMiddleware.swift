import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import StrictJSON

/// The one place where errors become answers: the envelope for programs, a page for people.
struct ErrorMiddleware: RouterMiddleware {
    let pages: PageRenderer

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // Hummingbird's own: it answers 400 and ends the connection, on which nothing can be read any more.
            throw error
        } catch is SignInNeeded {
            return Response(seeOther: "/", cookie: CookieName.session.clearing)
        } catch {
            let failure = Self.failure(for: error)
            log(failure, error, context)
            return try answer(failure, to: request, context)
        }
    }

    static func failure(for error: any Error) -> HTTPFailure {
        let known: HTTPFailure? =
            switch error {
            case let error as HTTPFailure: error
            case let error as AccountError: HTTPFailure(error)
            case let error as AppleIDError: HTTPFailure(error)
            case let error as StrictJSONError: HTTPFailure(error)
            case let error as DecodingError: HTTPFailure(error)
            case is CancellationError: HTTPFailure(.unavailable, "The service is shutting down.", cause: error)
            case let error as any HTTPResponseError: HTTPFailure(error)
            default: nil
            }
        return known ?? HTTPFailure(.internal, "Something went wrong in this service.", cause: error)
    }

    /// A refusal is everyday; what an operator must see is louder. Reasons and descriptions hold nothing secret.
    private func log(_ failure: HTTPFailure, _ error: any Error, _ context: ServiceContext) {
        // The key cache says once a minute that tokens come with unknown keys.
        let isUnknownKey = (error as? AppleIDError)?.isAboutUnknownKeyName ?? false
        let level: Logger.Level =
            switch failure.code {
            case _ where isUnknownKey: .debug
            case .internal, .configuration, .appleConfiguration: .error
            default: failure.code.status.kind == .serverError ? .warning : .debug
            }
        var metadata: Logger.Metadata = [
            "code": "\(failure.code)", "route": "\(context.endpointPath ?? "none")", "error": "\(error)",
        ]
        let cause = (error as? HTTPFailure)?.cause ?? (error as? AccountError)?.cause ?? (error as? AppleIDError)?.cause
        if let cause {
            metadata["cause"] = "\(cause)"
        }
        context.logger.log(
            level: level, level == .debug ? "Request refused" : "Request failed", metadata: metadata)
    }

    private func answer(_ failure: HTTPFailure, to request: Request, _ context: ServiceContext) throws -> Response {
        let status = failure.code.status
        var headers = failure.headers
        if status == .unauthorized {
            // RFC 9110 §11.6.1 wants a scheme beside every 401, RFC 6750 §3 an error only where a token was sent.
            let isAboutToken = failure.code == .accessTokenInvalid || failure.code == .accessTokenExpired
            headers[.wwwAuthenticate] = isAboutToken ? #"Bearer error="invalid_token""# : "Bearer"
        }
        guard !request.wantsPage else {
            let page = pages.failure(
                failure.code, details: failure.details, requestID: context.requestID,
                isDevicePage: request.uri.path == "/device" || request.uri.path.hasPrefix("/device/"))
            return Response(status: status, headers: headers, page: page)
        }
        let envelope = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: failure.code, message: failure.message, requestID: context.requestID, details: failure.details))
        return try Response(status: status, headers: headers, json: envelope)
    }
}

extension HTTPFailure {
    /// An error that Hummingbird throws by itself.
    fileprivate init?(_ error: any HTTPResponseError) {
        switch error.status {
        case .notFound: self.init(.notFound, "There is nothing at this path.", cause: error)
        case .contentTooLarge: self.init(.bodyTooLarge, "The body is too large.", cause: error)
        case let status where status.kind == .clientError:
            self.init(.badRequest, "The request cannot be read.", cause: error)
        default: return nil
        }
    }
}
