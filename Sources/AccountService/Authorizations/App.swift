public import AppleIDTypes

/// An app that may ask this service for an authorization by Apple where Apple's framework is not.
public struct App: Hashable, Sendable {
    public var id: AppID
    /// For the pages on which a person decides whether it is the app that they mean.
    public var name: String
    /// Under which the app signs in where Apple's framework is.
    public var bundleIDs: Set<ClientID>
    /// Under which Apple is asked here. Without it the app cannot begin an authorization; code-only sign-in stays.
    public var servicesID: ClientID?
    /// Where a browser may be sent back to; empty for an app that has the device flow alone.
    public var returnTargets: [ReturnTarget]
    /// Whether the app gets Apple's own code, unredeemed, for a backend that is not this service.
    public var handThrough: Bool

    public init(
        id: AppID, name: String, bundleIDs: Set<ClientID> = [], servicesID: ClientID?,
        returnTargets: [ReturnTarget] = [], handThrough: Bool = false
    ) {
        self.id = id
        self.name = name
        self.bundleIDs = bundleIDs
        self.servicesID = servicesID
        self.returnTargets = returnTargets
        self.handThrough = handThrough
    }

    /// Everything that Apple may know the app as.
    package var clientIDs: Set<ClientID> { bundleIDs.union(servicesID.map { [$0] } ?? []) }
}
