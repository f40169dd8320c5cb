import AccountClient

/// The client's event. The service has a type of the same name.
typealias ToldEvent = AccountEvent

/// The client's change of a profile. The service has a type of the same name.
typealias ToldUpdate = ProfileUpdate

/// The account as the client has it. The service has a type of the same name.
typealias ToldAccount = Account
