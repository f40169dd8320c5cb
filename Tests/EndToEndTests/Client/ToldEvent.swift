import AccountClient

/// What a client is told; the service has a type of the same name.
typealias ToldEvent = AccountEvent
