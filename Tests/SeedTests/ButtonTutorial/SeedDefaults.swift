import AuthenticationServices

/// User defaults of the tests' own: they never touch those of whoever runs them.
@MainActor
enum SeedDefaults {
    static let name = "siwa-seed-tests"
    static let own = UserDefaults(suiteName: name) ?? UserDefaults()

    static func clear() {
        own.removePersistentDomain(forName: name)
    }
}
