import Foundation

/// What a request says; a value, so that a copy is one assignment.
package struct OpenIDRequestContent: Hashable, Sendable {
    package var requestedScopes: [ASAuthorization.Scope]?
    package var state: String?
    package var nonce: String?
    package var requestedOperation: ASAuthorization.OpenIDOperation = .operationImplicit
    package var user: String?

    package init() {}

    /// What a performer is given.
    package var values: AppleIDRequestValues {
        AppleIDRequestValues(
            requestedScopes: requestedScopes ?? [], state: state, nonce: nonce, user: user,
            requestedOperation: requestedOperation)
    }

    init(coder: NSCoder) {
        let scopes = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Key.requestedScopes) as? [String]
        requestedScopes = scopes?.map { ASAuthorization.Scope($0) }
        state = Self.string(Key.state, in: coder)
        nonce = Self.string(Key.nonce, in: coder)
        user = Self.string(Key.user, in: coder)
        if let operation = Self.string(Key.requestedOperation, in: coder) {
            requestedOperation = ASAuthorization.OpenIDOperation(operation)
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(requestedScopes.map { $0.map { $0.rawValue as NSString } as NSArray }, forKey: Key.requestedScopes)
        coder.encode(state as NSString?, forKey: Key.state)
        coder.encode(nonce as NSString?, forKey: Key.nonce)
        coder.encode(user as NSString?, forKey: Key.user)
        coder.encode(requestedOperation.rawValue as NSString, forKey: Key.requestedOperation)
    }

    private static func string(_ key: String, in coder: NSCoder) -> String? {
        coder.decodeObject(of: NSString.self, forKey: key) as String?
    }

    private enum Key {
        static let requestedScopes = "requestedScopes"
        static let state = "state"
        static let nonce = "nonce"
        static let user = "user"
        static let requestedOperation = "requestedOperation"
    }
}
