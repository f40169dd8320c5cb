import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// The one place where errors become answers, the envelope for programs and a page for people; and where each request
/// gets its line in the log.
///
/// A line has the level debug when the request succeeded, info when it was refused, and warning or error when it failed
/// in a way that an operator must see. Successful sign-ins are in the audit log and in the metrics, and a log full of
/// successes would hide the rest. A line names the route instead of the path: a client can put anything into a path.
struct ErrorMiddleware: RouterMiddleware {
    let pages: PageRenderer

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            log(request, context, response.status, since: start)
            return response
        } catch let error as HTTPParserError {
            // Hummingbird's own: it answers 400 and ends the connection, on which nothing can be read any more.
            throw error
        } catch let error as SignInNeeded {
            let response = Response(
                seeOther: SignInNeeded.location(for: request),
                cookie: error.forgetsCookie ? CookieName.session.clearing : nil)
            log(request, context, response.status, since: start)
            return response
        } catch {
            let failure = HTTPFailure(of: error)
            log(request, context, failure.code.status, since: start, failure: failure, error: error)
            return try answer(failure, to: request, context)
        }
    }

    private func log(
        _ request: Request, _ context: ServiceContext, _ status: HTTPResponse.Status,
        since start: ContinuousClock.Instant, failure: HTTPFailure? = nil, error: (any Error)? = nil
    ) {
        var level: Logger.Level = status.code < 400 ? .debug : .info
        var metadata: Logger.Metadata = [
            "method": "\(request.method)", "route": "\(context.endpointPath ?? "none")", "status": "\(status.code)",
            "microseconds": "\((ContinuousClock.now - start) / .microseconds(1))",
        ]
        if let failure, let error {
            level = Self.level(of: failure, error)
            metadata["code"] = "\(failure.code)"
            let cause =
                (error as? HTTPFailure)?.cause ?? (error as? AccountError)?.cause ?? (error as? AppleIDError)?.cause
            // Reasons and descriptions hold nothing secret.
            let isWhole = level >= .warning || context.logger.logLevel <= .debug
            if isWhole { metadata["error"] = "\(error)" }
            if let cause, isWhole || cause is ClockDifference { metadata["cause"] = "\(cause)" }
        }
        context.logger.log(
            level: level, level >= .warning ? "Request failed" : "Request answered", metadata: metadata)
    }

    private static func level(of failure: HTTPFailure, _ error: any Error) -> Logger.Level {
        // The key cache logs once a minute that tokens name unknown keys.
        if (error as? AppleIDError)?.isAboutUnknownKeyName ?? false { return .debug }
        let level = failure.code.answer.level
        return level == .warning && isOutage(error) ? .info : level
    }

    /// Whether the database or Apple could not be reached, which the log is told once a minute for each cause.
    static func isOutage(_ error: any Error) -> Bool {
        let cause: (any Error)?
        switch error {
        case is TransportFailure: return true
        // An engine's error with another code is a mistake of this program, which no other line tells.
        case let error as AccountError where error.code == .unavailable && error.wordsOfDatabase != nil:
            return true
        case let error as HTTPFailure: cause = error.cause
        case let error as AccountError: cause = error.cause
        case let error as AppleIDError: cause = error.cause
        default: cause = nil
        }
        return cause.map(isOutage) ?? false
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
            let page = pages.failure(failure, requestID: context.requestID)
            return Response(status: status, headers: headers, page: page)
        }
        let envelope = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: ErrorCode(failure.code), message: failure.message, requestID: context.requestID,
                details: failure.details))
        return try Response(status: status, headers: headers, json: envelope)
    }
}

extension Request {
    /// Whether an error is answered by a page: outside the paths that programs call, if the client asks for HTML.
    var wantsPage: Bool {
        let first = uri.path.split(separator: "/", maxSplits: 1).first
        if let first, Route.programPaths.contains(first) { return false }
        return headers[values: .accept].contains { field in
            field.split(separator: ",").contains { range in
                let type = range.prefix { $0 != ";" }.filter { !$0.isWhitespace }
                return type.lowercased() == "text/html"
            }
        }
    }
}
