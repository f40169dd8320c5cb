import AccountAPI
import AccountService

extension AccountBody {
    init(_ account: Account) {
        self.init(
            id: account.id.rawValue, name: account.name.map { AccountName($0) }, email: account.email,
            emailVerified: account.emailVerified, isPrivateEmail: account.isPrivateEmail,
            createdAt: APITime(secondsSince1970: account.createdAt.secondsSince1970))
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
