import Foundation
import Testing

@testable import JuiceScreens
@testable import juice

extension Profile {
    static let johnny = Profile(
        userIdentifier: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.0001", givenName: "Johnny", familyName: "Appleseed",
        email: "johnny@example.com")

    /// A person who signs in by password.
    static var byPassword: Profile {
        var profile = johnny
        profile.userIdentifier = "acc_0123456789abcdefghijkl"
        profile.signsInByEmail = true
        profile.hasPassword = true
        return profile
    }

    static var reachable: Profile {
        var profile = johnny
        profile.contactEmail = "johnny@home.example"
        profile.phone = "+493012345678"
        return profile
    }

    static var pending: Profile {
        var profile = reachable
        profile.pendingContactEmail = "johnny@new.example"
        return profile
    }
}

extension ConsentReading {
    static let short = ConsentReading(purposes: ["phone number"], text: "We call you when your order is ready.")
    static let long = ConsentReading(
        purposes: ["contact address", "phone number"],
        text: (1...4).map { "Paragraph \($0). " + String(repeating: "Words and more words. ", count: 12) }
            .joined(separator: "\n\n"))
}

extension [ConsentRow] {
    static var three: Self {
        let time = Date(timeIntervalSince1970: 600)
        return [
            ConsentRow(id: "con_3", purpose: "phone number", textVersion: "2", givenAt: time, deviceName: "laptop"),
            ConsentRow(id: "con_2", purpose: "contact address", textVersion: "1", givenAt: time),
            ConsentRow(id: "con_1", purpose: "phone number", textVersion: "1", givenAt: time, withdrawnAt: time),
        ]
    }
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
    static var atProfile: JuiceModel { JuiceModel(after: .launched, .accountFound(.reachable), .key(.character("p"))) }

    /// After the person has typed this, key by key, and Return.
    mutating func type(_ text: String) -> [Effect] {
        for character in text { #expect(handle(.key(.character(character))) == []) }
        return handle(.key(.enter))
    }
}
