import AccountAPI
import AccountService
import AppleIDTypes

extension AccountBody {
    init(_ account: Account) {
        self.init(
            id: account.id.rawValue, name: account.name.map { AccountName($0) }, email: account.email,
            emailVerified: account.emailVerified, isPrivateEmail: account.isPrivateEmail,
            createdAt: APITime(account.createdAt), appleAccess: account.appleAccess.ended == nil ? .granted : .ended,
            appleAccessEndedAt: (account.appleAccess.ended?.at).map { APITime($0) },
            emailForwarding: account.appleAccess.forwardsEmail.map { $0 ? .enabled : .disabled },
            realUserStatus: account.appleAccess.realUserStatus?.rawValue,
            organizationID: account.appleAccess.organizationID,
            lastAuthorizedAt: account.appleAccess.lastAuthorizedAt.map { APITime($0) },
            appleToken: AppleTokenWord(rawValue: account.appleToken.rawValue))
    }
}

extension APITime {
    init(_ moment: Timestamp) {
        self.init(secondsSince1970: moment.secondsSince1970)
    }
}

extension AccountName {
    init(_ name: PersonName) {
        self.init(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname, formatted: name.formatted
        )
    }
}
