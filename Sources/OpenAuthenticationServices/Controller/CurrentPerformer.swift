import Synchronization

/// Who performs for controllers and providers of this process. Apple's API has no parameter for it.
package enum CurrentPerformer {
    private static let installed = Mutex<(any AuthorizationPerformer)?>(nil)

    /// For the calls of one task and its children, in front of the installed one: tests run beside each other.
    @TaskLocal package static var scoped: (any AuthorizationPerformer)?

    /// nil until an app, or the environment, has said where the account service is.
    package static var value: (any AuthorizationPerformer)? {
        if let performer = scoped ?? installed.withLock({ $0 }) { return performer }
        // Reads the environment, and installs, at the first time.
        guard AuthenticationServicesConfiguration.shared != nil else { return nil }
        return installed.withLock { $0 }
    }

    package static func install(_ performer: (any AuthorizationPerformer)?) {
        installed.withLock { $0 = performer }
    }
}
