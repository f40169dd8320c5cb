/// The emulator would not carry out an authorization that a test asked for.
public struct OrderRefused: Error, Equatable, CustomStringConvertible {
    /// For example `unknown_person`, `invalid_client`, `invalid_request`.
    public let code: String
    public let message: String

    public var description: String { "\(code): \(message)" }

    struct Body: Decodable {
        let error: String
        let message: String
    }
}
