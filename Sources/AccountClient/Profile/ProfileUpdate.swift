import AccountAPI
public import Foundation

/// A change of what a person may edit of their account: name, contact address, phone number.
///
/// ```swift
/// try await client.updateProfile(ProfileUpdate(contactEmail: .set("ada@example.com"), phone: .remove))
/// ```
public struct ProfileUpdate: Hashable, Sendable {
    /// An edit of one value.
    public enum Edit<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The value stays as it is.
        case unchanged
        /// The value is removed.
        case remove
        /// The value is replaced.
        case set(Value)
    }

    /// The edit of the name. A new name replaces all parts of the former one; a name without any part removes it.
    public var name: Edit<PersonNameComponents>
    /// The edit of the contact address, to which the service sends mail. A new address counts when the person has
    /// opened the link that is sent to it.
    public var contactEmail: Edit<String>
    /// The edit of the phone number, in the form of E.164: `+` and 8 to 15 digits. It isn't verified.
    public var phone: Edit<String>

    /// Makes an update that changes the given values and leaves the others as they are.
    public init(
        name: Edit<PersonNameComponents> = .unchanged, contactEmail: Edit<String> = .unchanged,
        phone: Edit<String> = .unchanged
    ) {
        self.name = name
        self.contactEmail = contactEmail
        self.phone = phone
    }
}

extension ProfileUpdate: CustomStringConvertible, CustomReflectable {
    /// The names of the members that change, without their values.
    public var description: String { "[\(changedMembers.joined(separator: ", "))]" }

    /// The names of the members that change, without their values.
    public var customMirror: Mirror { Mirror(self, children: ["changes": changedMembers]) }

    private var changedMembers: [String] {
        [
            name == .unchanged ? nil : "name", contactEmail == .unchanged ? nil : "contactEmail",
            phone == .unchanged ? nil : "phone",
        ].compactMap { $0 }
    }
}

extension ProfileUpdateRequest {
    init(_ update: ProfileUpdate) {
        self.init(
            name: MemberEdit(update.name) { FullName($0) }, contactEmail: MemberEdit(update.contactEmail) { $0 },
            phone: MemberEdit(update.phone) { $0 })
    }

    /// Whether an account is already as this request would make it.
    func isDone(in account: AccountBody) -> Bool {
        name.isDone(in: account.name.map { FullName($0) })
            && contactEmail.isDone(in: account.pendingContactEmail ?? account.contactEmail)
            && phone.isDone(in: account.phone)
    }
}

extension MemberEdit {
    /// - Parameter value: nil for a value that says nothing, which removes the member.
    fileprivate init<Source>(_ edit: ProfileUpdate.Edit<Source>, value: (Source) -> Value?) {
        switch edit {
        case .unchanged: self = .unchanged
        case .remove: self = .remove
        case .set(let source): self = value(source).map { .set($0) } ?? .remove
        }
    }
}

extension MemberEdit where Value: Equatable {
    fileprivate func isDone(in present: Value?) -> Bool {
        switch self {
        case .unchanged: true
        case .remove: present == nil
        case .set(let value): present == value
        }
    }
}

extension FullName {
    fileprivate init(_ name: AccountName) {
        self.init(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname)
    }
}
