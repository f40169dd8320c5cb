import Foundation
import Synchronization

extension AuthenticationServicesConfiguration {
    private enum Shared {
        case untouched
        case set(AuthenticationServicesConfiguration?)
    }

    private static let stored = Mutex(Shared.untouched)

    /// For the whole process. Setting it decides who performs all requests from then on; nil takes that back.
    ///
    /// Never set, it is what `SIWA_BACKEND` and `SIWA_APP` say, and nil when either is missing or is no URL.
    public static var shared: AuthenticationServicesConfiguration? {
        get {
            stored.withLock { state in
                if case .set(let configuration) = state { return configuration }
                let configuration = Self(environment: ProcessInfo.processInfo.environment)
                state = .set(configuration)
                if let configuration { CurrentPerformer.install(AccountServicePerformer(configuration: configuration)) }
                return configuration
            }
        }
        set {
            stored.withLock { state in
                state = .set(newValue)
                CurrentPerformer.install(newValue.map { AccountServicePerformer(configuration: $0) })
            }
        }
    }

    package init?(environment: [String: String]) {
        guard let backend = environment["SIWA_BACKEND"].flatMap({ URL(string: $0) }),
            let app = environment["SIWA_APP"], !app.isEmpty
        else { return nil }
        self.init(backend: backend, app: app)
    }
}
