extension AuthenticationServicesConfiguration {
    /// By which way a person reaches the account service.
    public enum Flow: Hashable, Sendable {
        /// The browser of this machine where there is one and it is this person's; else a code for another device.
        case automatic
        /// The browser of this machine, and no other way.
        case browser
        /// A code that the person types in a browser on any device.
        case device
    }
}
