/// A value of the profile that the person types.
public struct ProfileEntry: Hashable, Sendable {
    /// The value that is typed. The names come one after the other.
    public enum Field: Hashable, Sendable {
        case givenName
        case familyName(givenName: String)
        case contactEmail
        case phone
    }

    /// The value that is typed.
    public internal(set) var field: Field
    /// The text as far as it is typed.
    public internal(set) var text: String

    /// The maximum length of an address (RFC 5321, section 4.5.3.1.3).
    private static let maximumLength = 254

    mutating func append(_ character: Character) {
        guard text.count < Self.maximumLength else { return }
        text.append(character)
    }
}

/// A change of the profile. An empty text removes the value.
public enum ProfileEdit: Hashable, Sendable {
    case name(givenName: String, familyName: String)
    case contactEmail(String)
    case phone(String)
}

extension ProfileEntry.Field {
    /// The words beside the value.
    public var caption: String {
        switch self {
        case .givenName: "Given Name"
        case .familyName: "Family Name"
        case .contactEmail: "Contact Address"
        case .phone: "Phone"
        }
    }

    /// The value that the profile has.
    func text(in profile: Profile) -> String {
        switch self {
        case .givenName: profile.givenName ?? ""
        case .familyName: profile.familyName ?? ""
        case .contactEmail: profile.pendingContactEmail ?? profile.contactEmail ?? ""
        case .phone: profile.phone ?? ""
        }
    }
}

extension Profile {
    /// The values that the person can change.
    var detailBlocks: [ScreenBlock] {
        let hasContact = contactEmail != nil || pendingContactEmail == nil
        return [.value(caption: "Given Name", givenName), .value(caption: "Family Name", familyName)]
            + (hasContact ? [.value(caption: "Contact Address", contactEmail)] : [])
            + (pendingContactEmail.map { [.value(caption: "To be confirmed", $0)] } ?? [])
            + [.value(caption: "Phone", phone), .gap, .text(Self.aboutDetails, .note)]
            + (pendingContactEmail == nil ? [] : [.text(Self.aboutPending, .note)])
            + (isConfirmed ? [] : [.text(Self.aboutNoAnswer, .problem)])
    }

    private static let aboutDetails = "You can change these. Nobody verifies the phone number."
    private static let aboutPending = "To confirm the address, open the link in the mail that was sent there."
}
