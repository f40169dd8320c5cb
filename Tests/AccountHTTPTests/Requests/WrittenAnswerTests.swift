import AccountAPI
import StrictJSON
import Testing

@testable import AccountHTTP

@Suite("Answers that write their own JSON")
struct WrittenAnswerTests {
    static let accounts = [
        AccountBody(
            id: "acc_1", name: nil, email: nil, emailVerified: false, isPrivateEmail: true,
            createdAt: APITime(secondsSince1970: 0)),
        AccountBody(
            id: "acc_2",
            name: AccountName(
                givenName: "Ann \"A\"\n", familyName: "Ö\u{301}", middleName: "M", namePrefix: "Dr.", nameSuffix: "\\",
                nickname: "{", formatted: "\u{1}"),
            email: "a@example.com", emailVerified: true, isPrivateEmail: false,
            createdAt: APITime(secondsSince1970: 1_700_000_000), appleAccess: .ended,
            appleAccessEndedAt: APITime(secondsSince1970: 1_700_000_001), emailForwarding: .disabled,
            realUserStatus: 2, organizationID: "org", lastAuthorizedAt: APITime(secondsSince1970: 1_700_000_002),
            appleToken: .held, contactEmail: "b@\"x", pendingContactEmail: "c@\u{E4}.example", phone: "+4930123456",
            waysIn: WaysInBody(apple: true, email: "d\"@example.com", hasPassword: true)),
        AccountBody(
            id: "", name: AccountName(formatted: ""), email: "", emailVerified: false, isPrivateEmail: false,
            createdAt: APITime(secondsSince1970: -1), realUserStatus: .min,
            waysIn: WaysInBody(apple: false, email: nil, hasPassword: false, providers: ["a\"b", "c"])),
    ]
    static let session = SessionBody(accessToken: "a.b.c", expiresIn: 600, refreshToken: "ses_1.x")

    @Test("An account is written as it would be encoded", arguments: accounts)
    func account(_ account: AccountBody) throws {
        try expectSame(AccountAnswer(account: account))
    }

    @Test("A sign-in is written as it would be encoded", arguments: accounts)
    func signIn(_ account: AccountBody) throws {
        try expectSame(SignInAnswer(account: account, session: Self.session, isNewAccount: account.name == nil))
    }

    @Test("A refresh is written as it would be encoded")
    func refresh() throws {
        try expectSame(RefreshAnswer(session: Self.session))
    }

    private func expectSame(_ value: some Encodable & JSONWritable) throws {
        let (written, encoded) = (JSONText.bytes(of: value), try StrictJSONEncoder().encode(value))
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: encoded, as: UTF8.self))
    }
}
