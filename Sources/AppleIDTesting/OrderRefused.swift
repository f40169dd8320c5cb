/// The emulator would not carry out an authorization that a test asked for.
public struct OrderRefused: Error, Equatable, CustomStringConvertible {
    /// For example `unknown_person`, `invalid_client`, `invalid_request`.
    public let code: String
    /// For people.
    public let message: String

    /// For the output of a test that did not expect it.
    public var description: String { "\(code): \(message)" }

    struct Body: Decodable {
        let error: String
        let message: String
    }
}
