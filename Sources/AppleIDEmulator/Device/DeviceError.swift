/// How the framework on a device says that an authorization came to nothing: `ASAuthorizationError` by name and number.
enum DeviceError: Int64, Sendable {
    case unknown = 1000
    case canceled = 1001
    case failed = 1004

    static let domain = "com.apple.AuthenticationServices.AuthorizationError"

    var json: JSONText {
        .object([("domain", .string(Self.domain)), ("name", .string("\(self)")), ("code", .integer(rawValue))])
    }
}
