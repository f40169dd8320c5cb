import Foundation

@testable import juice

extension Profile {
    static let johnny = Profile(
        userIdentifier: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.0001", givenName: "Johnny", familyName: "Appleseed",
        email: "johnny@example.com")
}

extension [SessionRow] {
    static var three: Self {
        let time = Date(timeIntervalSince1970: 600)
        return [
            SessionRow(id: "ses_3", isCurrent: true, isBrowser: false, deviceName: "Johnny's laptop", lastUsedAt: time),
            SessionRow(id: "ses_2", isCurrent: false, isBrowser: false, deviceName: nil, lastUsedAt: time),
            SessionRow(
                id: "ses_1", isCurrent: false, isBrowser: true, deviceName: "Firefox on Windows", lastUsedAt: time),
        ]
    }
}

extension JuiceModel {
    /// After these events, whatever they asked for.
    init(after events: Event...) {
        self.init()
        for event in events { _ = handle(event) }
    }

    static var atLogin: JuiceModel { JuiceModel(after: .launched, .accountFound(nil)) }
    static var waiting: JuiceModel { JuiceModel(after: .launched, .accountFound(nil), .key(.enter)) }
    static var atResult: JuiceModel { JuiceModel(after: .launched, .accountFound(.johnny)) }
}
