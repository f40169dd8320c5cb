import OpenAuthenticationServices

extension LoopbackLimits {
    /// Without the limit of time, which a busy machine may reach in tests of other things.
    static var patient: Self {
        var limits = Self()
        limits.connection = .seconds(600)
        return limits
    }
}
