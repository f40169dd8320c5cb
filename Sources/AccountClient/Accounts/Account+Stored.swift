import AccountAPI
import Foundation

extension Account {
    init(_ session: StoredSession, isConfirmed: Bool) {
        let body = session.account
        self.init(
            id: body.id, user: session.user, name: body.name.map(PersonNameComponents.init),
            formattedName: body.name?.formatted, email: body.email, isEmailVerified: body.emailVerified,
            isPrivateEmail: body.isPrivateEmail, createdAt: body.createdAt.date, isConfirmed: isConfirmed)
    }
}

extension PersonNameComponents {
    init(_ name: AccountName) {
        self.init()
        givenName = name.givenName
        familyName = name.familyName
        middleName = name.middleName
        namePrefix = name.namePrefix
        nameSuffix = name.nameSuffix
        nickname = name.nickname
    }
}

extension FullName {
    /// nil when there is no part in it: Apple's answers after the first may hold a name without parts.
    init?(_ name: PersonNameComponents?) {
        guard let name else { return nil }
        let parts = [
            name.givenName, name.familyName, name.middleName, name.namePrefix, name.nameSuffix, name.nickname,
        ].map { $0.flatMap { $0.isEmpty ? nil : $0 } }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        self.init(
            givenName: parts[0], familyName: parts[1], middleName: parts[2], namePrefix: parts[3], nameSuffix: parts[4],
            nickname: parts[5])
    }
}
