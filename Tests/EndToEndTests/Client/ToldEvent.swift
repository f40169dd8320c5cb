import AccountClient

/// The client's event. The service has a type of the same name.
typealias ToldEvent = AccountEvent
