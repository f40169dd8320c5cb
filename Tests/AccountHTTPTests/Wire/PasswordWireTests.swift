import AccountAPI
import Foundation
import StrictJSON
import Testing

@Suite("Passwords and the upgrade on the wire")
struct PasswordWireTests {
    /// Expects that a value is written so, and that the server's decoder and Foundation's read it back.
    private func expect<Value: Codable & Equatable>(
        _ value: Value, as text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let written = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(written == text, sourceLocation: sourceLocation)
        let strict = try StrictJSONDecoder().decode(Value.self, from: Array(text.utf8))
        #expect(strict == value, sourceLocation: sourceLocation)
        let lenient = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        #expect(lenient == value, sourceLocation: sourceLocation)
    }

    @Test("A sign-up has the address, the password and the name")
    func signUp() throws {
        try expect(
            SignUpRequest(email: "j@example.com", password: "p"),
            as: #"{"email":"j@example.com","fullName":null,"password":"p"}"#)
        try expect(
            SignUpRequest(email: "j@example.com", password: "p", fullName: FullName(givenName: "Johnny")),
            as: """
                {"email":"j@example.com","fullName":{"familyName":null,"givenName":"Johnny","middleName":null,\
                "namePrefix":null,"nameSuffix":null,"nickname":null},"password":"p"}
                """)
        try expect(AcceptedAnswer(), as: "{}")
    }

    @Test("A sign-in has the address, the password and the device")
    func signIn() throws {
        try expect(
            PasswordSignInRequest(email: "j@example.com", password: "p"),
            as: #"{"clientID":null,"deviceName":null,"email":"j@example.com","password":"p"}"#)
        try expect(SignInLinkRequest(email: "j@example.com"), as: #"{"email":"j@example.com"}"#)
        try expect(
            SignInLinkFinishRequest(link: "l", email: nil, deviceName: "Mac"),
            as: #"{"clientID":null,"deviceName":"Mac","email":null,"link":"l"}"#)
    }

    @Test("The end of a sign-up has the password of the sign-up or a new one, never both as null")
    func signUpFinish() throws {
        try expect(
            SignUpFinishRequest(link: "l", password: "p"),
            as: #"{"clientID":null,"deviceName":null,"link":"l","password":"p"}"#)
        try expect(
            SignUpFinishRequest(link: "l", newPassword: "n", clientID: "com.example.juice"),
            as: #"{"clientID":"com.example.juice","deviceName":null,"link":"l","newPassword":"n"}"#)
    }

    @Test("A link has its purpose, and its address only for the browser that asked for it")
    func link() throws {
        try expect(EmailLinkRequest(link: "l"), as: #"{"link":"l"}"#)
        try expect(
            EmailLinkAnswer(
                purpose: .signIn, address: nil, expiresAt: APITime(secondsSince1970: 0), needsEmail: true),
            as: #"{"address":null,"expiresAt":"1970-01-01T00:00:00Z","needsEmail":true,"purpose":"sign_in"}"#)
        #expect(EmailLinkAnswer.Purpose.signUp.rawValue == "sign_up")
        #expect(EmailLinkAnswer.Purpose.reset.rawValue == "reset")
    }

    @Test("A password is reset by a link, changed by the present one, and proves who holds the session")
    func password() throws {
        try expect(ForgottenPasswordRequest(email: "j@example.com"), as: #"{"email":"j@example.com"}"#)
        try expect(PasswordResetRequest(link: "l", password: "p"), as: #"{"link":"l","password":"p"}"#)
        try expect(
            PasswordChangeRequest(currentPassword: nil, newPassword: "n", endOtherSessions: true),
            as: #"{"currentPassword":null,"endOtherSessions":true,"newPassword":"n"}"#)
        try expect(PasswordReauthenticationRequest(password: "p"), as: #"{"password":"p"}"#)
    }

    @Test("An upgrade has Apple's credential, the challenge and the consent")
    func upgrade() throws {
        try expect(
            AccountUpgradeRequest(
                identityToken: "t", authorizationCode: nil, nonce: "n", consent: ConsentGivenBody(textVersion: "1"),
                endOtherSessions: false),
            as: """
                {"authorizationCode":null,"clientID":null,"consent":{"textVersion":"1"},"endOtherSessions":false,\
                "fullName":null,"identityToken":"t","nonce":"n"}
                """)
        #expect(ChallengePurpose.upgrade.rawValue == "upgrade")
    }

    @Test("An account has the ways in, which an older server doesn't tell")
    func waysIn() throws {
        try expect(
            WaysInBody(apple: true, email: nil, hasPassword: false),
            as: #"{"apple":true,"email":null,"hasPassword":false,"providers":[]}"#)
        let ways = #"{"apple":true,"email":null,"hasPassword":false}"#
        let told = try JSONDecoder().decode(WaysInBody.self, from: Data(ways.utf8))
        #expect(told == WaysInBody(apple: true, email: nil, hasPassword: false))
        let older = """
            {"id":"acc_1","name":null,"email":null,"emailVerified":false,"isPrivateEmail":false,\
            "createdAt":"1970-01-01T00:00:00Z"}
            """
        var account = try JSONDecoder().decode(AccountBody.self, from: Data(older.utf8))
        #expect(account.waysIn == nil)
        #expect(try String(decoding: JSONEncoder().encode(account), as: UTF8.self).contains(#""waysIn":null"#))
        account.waysIn = WaysInBody(apple: false, email: "j@example.com", hasPassword: true)
        #expect(try JSONDecoder().decode(AccountBody.self, from: JSONEncoder().encode(account)) == account)
    }

    @Test("A refused password says which rule it broke, and a busy service how long to wait")
    func details() throws {
        let refused = ErrorEnvelope.Body(
            code: .passwordRefused, message: "m", requestID: "1",
            details: .passwordRefused(PasswordRefusal(reason: .tooShort, minimumLength: 15)))
        try expect(
            ErrorEnvelope(refused),
            as: """
                {"error":{"code":"password_refused","details":{"minimumLength":15,"reason":"too_short"},\
                "message":"m","requestID":"1"}}
                """)
        let busy = ErrorEnvelope.Body(
            code: .tooBusy, message: "m", requestID: "1", details: .rateLimited(RetryDelay(retryAfter: 2)))
        try expect(
            ErrorEnvelope(busy),
            as: #"{"error":{"code":"too_busy","details":{"retryAfter":2},"message":"m","requestID":"1"}}"#)
        #expect(
            [PasswordRefusal.Reason.tooLong, .common, .personal].map(\.rawValue) == ["too_long", "common", "personal"])
    }
}
