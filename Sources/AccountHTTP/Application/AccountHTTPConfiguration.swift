/// What an operator decides about the account service's HTTP side. A plain value; reading settings is the caller's
/// work.
public struct AccountHTTPConfiguration: Sendable {
    /// What people know the service by: shown on every page. White space around it is dropped.
    public var appName: String
    public var button: AppleButton
    /// The emulator that stands in for Apple; nil when it is Apple itself. Said on every page and in `/readyz`.
    public var emulatorURL: String?
    /// Nil: no page has a script.
    public var signInScript: SignInScript?
    public var limits: HTTPLimits
    public var eventStreams: EventStreamLimits
    /// Whose `X-Forwarded-For` is believed; from anybody else the header is ignored.
    public var trustedProxies: [AddressRange]
    /// How many requests of one kind, made by nobody in particular, one address may make in a minute; nil, like 0 and
    /// less, for any number.
    public var requestBudget: Int?

    public static let defaultRequestBudget = 300

    public init(
        appName: String = "siwa", button: AppleButton = AppleButton(), emulatorURL: String? = nil,
        signInScript: SignInScript? = nil, limits: HTTPLimits = HTTPLimits(),
        eventStreams: EventStreamLimits = EventStreamLimits(), trustedProxies: [AddressRange] = [],
        requestBudget: Int? = defaultRequestBudget
    ) {
        self.appName = appName
        self.button = button
        self.emulatorURL = emulatorURL
        self.signInScript = signInScript
        self.limits = limits
        self.eventStreams = eventStreams
        self.trustedProxies = trustedProxies
        self.requestBudget = requestBudget
    }
}
