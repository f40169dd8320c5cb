import AppleIDTypes

/// The answer that the app's delegate on the device gets, once.
enum DeviceAnswer: Sendable {
    case credential(DeviceCredential)
    case error(DeviceError)

    /// Both are answers of the framework, so the call that brings one has not failed.
    var json: JSONText {
        switch self {
        case .credential(let credential): .object([("credential", credential.json)])
        case .error(let error): .object([("error", error.json)])
        }
    }
}

/// An `ASAuthorizationAppleIDCredential`, member by member. A member that would be nil there is absent.
struct DeviceCredential: Sendable {
    let user: Subject
    let state: String?
    let authorizedScopes: [Scope]
    let code: AuthorizationCode
    let identityToken: String
    /// The value is given the first time only, if the app asked for it.
    let email: String?
    /// The value is given the first time only, if the app asked for it.
    let name: Grant.Name?
    let realUserStatus: RealUserStatus
    let ageRange: AgeRange

    /// `ASUserAgeRange`. Unknown is also what apps without the entitlement for children's accounts are told.
    enum AgeRange: Int64, Sendable {
        case unknown = 0
        case child = 1
        case notChild = 2

        init(of person: Portal.Person) {
            switch person.child {
            case nil: self = .unknown
            case true?: self = .child
            case false?: self = .notChild
            }
        }
    }

    var json: JSONText {
        .object([
            ("user", .string(user.rawValue)),
            ("state", .string(state)),
            ("authorizedScopes", .array(authorizedScopes.map { .string($0 == .name ? "full_name" : $0.rawValue) })),
            ("authorizationCode", .string(code.rawValue)),
            ("identityToken", .string(identityToken)),
            ("email", .string(email)),
            ("fullName", name.map(Self.json)),
            ("realUserStatus", .integer(Int64(realUserStatus.rawValue))),
            ("userAgeRange", .integer(ageRange.rawValue)),
        ])
    }

    /// A part that the person emptied is nil among the components.
    private static func json(_ name: Grant.Name) -> JSONText {
        .object([
            ("givenName", name.firstName.isEmpty ? nil : .string(name.firstName)),
            ("familyName", name.lastName.isEmpty ? nil : .string(name.lastName)),
        ])
    }
}

/// An `ASAuthorizationError` by name and number, for an authorization on a device that failed.
enum DeviceError: Int64, Sendable {
    case unknown = 1000
    case canceled = 1001
    case failed = 1004

    static let domain = "com.apple.AuthenticationServices.AuthorizationError"

    var json: JSONText {
        .object([("domain", .string(Self.domain)), ("name", .string("\(self)")), ("code", .integer(rawValue))])
    }
}
