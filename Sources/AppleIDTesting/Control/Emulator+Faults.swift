public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

/// A failure that a test orders of the emulator.
public struct TestFault: Hashable, Sendable {
    /// The kind of fault, by the name that the documentation has: `outage`, `latency`, `wrong-signature`, and others.
    public var fault: String
    /// The endpoint that fails: `discovery`, `keys`, `authorize`, `token`, `revoke`, `migration` or `notifications`; nil for
    /// all.
    public var endpoint: String?
    /// The number of times that the fault happens; nil for always.
    public var times: Int?
    /// The share of the requests that fail, 1 for all.
    public var share: Double?
    /// Decides which requests fail, if the share is less than 1.
    public var seed: Int?
    /// The length of a delay.
    public var milliseconds: Int?
    /// The status of an outage.
    public var status: Int?
    /// The `Retry-After` of a throttle, in seconds.
    public var retryAfter: Int?

    /// Makes an order for a fault that happens always and everywhere where it can.
    public init(_ fault: String, at endpoint: String? = nil, times: Int? = nil) {
        self.fault = fault
        self.endpoint = endpoint
        self.times = times
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Lets something fail between your server and Apple: an outage, a wrong signature, a notification that comes twice.
    /// - Throws: ``ControlRefused`` for an unknown fault, or a place where it can't happen.
    @discardableResult
    public func order(_ fault: TestFault) async throws -> TestOrderedFault {
        try await controlled(
            .post, "/emulator/faults",
            [
                "fault": Member(text: fault.fault), "endpoint": Member(text: fault.endpoint),
                "times": Member(number: fault.times), "share": Member(share: fault.share),
                "seed": Member(number: fault.seed),
                "milliseconds": Member(number: fault.milliseconds),
                "status": Member(number: fault.status),
                "retryAfter": Member(number: fault.retryAfter),
            ])
    }

    /// Returns the faults that are ordered.
    public func faults() async throws -> [TestOrderedFault] {
        try await controlled(.get, "/emulator/faults", as: [String: [TestOrderedFault]].self)["faults"] ?? []
    }

    /// Clears one fault, or all for nil.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func clearFaults(_ id: String? = nil) async throws {
        try await control(.post, "/emulator/faults/clear", ["id": Member(text: id)])
    }

    /// Returns the last requests to Apple's addresses.
    public func requests() async throws -> [TestRequest] {
        try await controlled(.get, "/emulator/requests", as: [String: [TestRequest]].self)["requests"] ?? []
    }

    /// Clears the list of requests.
    public func clearRequests() async throws {
        try await control(.post, "/emulator/requests/clear", [:])
    }
}

/// A fault that is ordered, with what it has done so far.
public struct TestOrderedFault: Hashable, Sendable, Decodable {
    /// The fault's identifier, to clear it.
    public let id: String
    /// The kind of fault.
    public let fault: String
    /// The endpoint that fails; nil for all.
    public let endpoint: String?
    /// The number of times that the fault still happens; nil for always.
    public let remaining: Int?
    /// The number of requests that it could have hit.
    public let seen: Int
    /// The number of requests that it hit.
    public let hits: Int
}

/// A request to one of Apple's addresses, as the emulator remembers it. It holds no secrets: only the parameters' names.
public struct TestRequest: Hashable, Sendable, Decodable {
    /// The request's method.
    public let method: String
    /// The request's path.
    public let path: String
    /// The status of the response.
    public let status: Int
    /// The client that asked, if the request named one.
    public let clientID: ClientID?
    /// Apple's error code in the response.
    public let error: String?
    /// The rule of the emulator that refused the request.
    public let reason: String?
    /// The names of the parameters.
    public let parameters: [String]
    /// The faults that hit the request.
    public let faults: [String]
}
