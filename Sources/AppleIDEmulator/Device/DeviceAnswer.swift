/// What the app's delegate on the device is told, once.
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
