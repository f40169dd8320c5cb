import AccountClient

/// The client's event. The service has a type of the same name.
typealias ToldEvent = AccountEvent

/// The client's change of a profile. The service has a type of the same name.
typealias ToldUpdate = ProfileUpdate

/// A link from a mail as the client has it. The service has a type of the same name.
typealias ToldLink = EmailLink

/// The account as the client has it. The service has a type of the same name.
typealias ToldAccount = Account
