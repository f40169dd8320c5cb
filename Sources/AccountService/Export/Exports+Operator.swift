package import Logging

extension Exports {
    /// For a command that has the database and the keys, and no service.
    package init(store: any AccountStore, keyRing: KeyRing, logger: Logger) {
        self.init(store: store, nameSeal: Seal(.keptName, keyRing: keyRing), logger: logger)
    }
}
