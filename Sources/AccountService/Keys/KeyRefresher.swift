import AppleID
public import ServiceLifecycle

/// Keeps Apple's key set young, also while nobody signs in: so that an outage of Apple's finds fresh keys here.
public struct KeyRefresher: Service {
    /// How often the age of the set is looked at; it is fetched when it is older than an hour.
    private static let interval: Duration = .minutes(5)

    let keys: KeyCache

    public func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                keys.refreshIfOld()
            }
        }
    }
}
