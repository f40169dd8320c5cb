import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore
package import StrictJSON

extension Response {
    /// A response with JSON, by the encoder of the value.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable) throws {
        self.init(status: status, headers: headers, jsonText: try StrictJSONEncoder().encode(value))
    }

    /// A response with JSON, for the values that are sent most often. They write themselves, which costs less than an encoder.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable & JSONWritable) {
        self.init(status: status, headers: headers, jsonText: JSONText.bytes(of: value))
    }

    private init(status: HTTPResponse.Status, headers: HTTPFields, jsonText: [UInt8]) {
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jsonText)))
    }

    /// A response with a page.
    /// - Parameter policy: The page's own policy, in place of ``ContentSecurityPolicy/standard``.
    init(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], page: String, policy: ContentSecurityPolicy? = nil
    ) {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy?.text
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Sends a browser on with a GET.
    init(seeOther location: String, cookie: String? = nil) {
        self.init(status: .seeOther, headers: [.location: location])
        if let cookie {
            headers[.setCookie] = cookie
        }
    }
}

// MARK: Values of the domain as they are on the wire

/// Makes the part of responses to programs that describes an account.
struct AccountResponses: Sendable {
    /// The ways in, which the account's body names.
    let ways: WaysInLookup

    /// The account as programs are told of it.
    ///
    /// The ways in are looked up only where there are several: elsewhere everybody signs in with Apple.
    func body(of account: Account) async throws -> AccountBody {
        var body = AccountBody(account)
        if ways.hasSeveral { body.waysIn = WaysInBody(try await ways.waysIn(of: account.id)) }
        return body
    }

    /// The answer to an app that has signed somebody in.
    func answer(to done: TokenSignIn) async throws -> SignInAnswer {
        SignInAnswer(
            account: try await body(of: done.account), session: SessionBody(done.tokens),
            isNewAccount: done.isNewAccount)
    }
}

extension AccountBody {
    init(_ account: Account) {
        self.init(
            id: account.id.rawValue, name: account.name.map { AccountName($0) }, email: account.email,
            emailVerified: account.emailVerified, isPrivateEmail: account.isPrivateEmail,
            createdAt: APITime(account.createdAt),
            appleAccess: !account.isByApple ? nil : account.appleAccess.ended == nil ? .granted : .ended,
            appleAccessEndedAt: (account.appleAccess.ended?.at).map { APITime($0) },
            emailForwarding: account.appleAccess.forwardsEmail.map { $0 ? .enabled : .disabled },
            realUserStatus: account.appleAccess.realUserStatus?.rawValue,
            organizationID: account.appleAccess.organizationID,
            lastAuthorizedAt: account.appleAccess.lastAuthorizedAt.map { APITime($0) },
            appleToken: AppleTokenState(rawValue: account.appleToken.rawValue), contactEmail: account.contactEmail,
            pendingContactEmail: account.pendingContactEmail, phone: account.phone)
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

extension SessionBody {
    init(_ tokens: SessionTokens) {
        self.init(
            accessToken: tokens.accessToken, expiresIn: Int(tokens.expiresIn.components.seconds),
            refreshToken: tokens.refreshToken)
    }
}

// MARK: The members of the commonest responses, in the order in which they encode themselves

extension AccountAnswer: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { $0.member("account", account) }
    }
}

extension SignInAnswer: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("account", account)
            text.member("session", session)
            text.member("isNewAccount", isNewAccount)
        }
    }
}

extension RefreshAnswer: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { $0.member("session", session) }
    }
}

extension SessionBody: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("accessToken", accessToken)
            text.member("tokenType", tokenType)
            text.member("expiresIn", expiresIn)
            text.member("refreshToken", refreshToken)
        }
    }
}

extension AccountBody: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", id)
            text.member("name", name)
            text.member("email", email)
            text.member("emailVerified", emailVerified)
            text.member("isPrivateEmail", isPrivateEmail)
            text.member("createdAt", createdAt.text)
            text.member("appleAccess", appleAccess?.rawValue)
            text.member("appleAccessEndedAt", appleAccessEndedAt?.text)
            text.member("emailForwarding", emailForwarding?.rawValue)
            text.member("realUserStatus", realUserStatus)
            text.member("organizationID", organizationID)
            text.member("lastAuthorizedAt", lastAuthorizedAt?.text)
            text.member("appleToken", appleToken?.rawValue)
            text.member("contactEmail", contactEmail)
            text.member("pendingContactEmail", pendingContactEmail)
            text.member("phone", phone)
            text.member("waysIn", waysIn)
        }
    }
}

extension WaysInBody: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("apple", apple)
            text.member("email", email)
            text.member("hasPassword", hasPassword)
            text.member("providers", providers)
        }
    }
}

extension AccountName: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("givenName", givenName)
            text.member("familyName", familyName)
            text.member("middleName", middleName)
            text.member("namePrefix", namePrefix)
            text.member("nameSuffix", nameSuffix)
            text.member("nickname", nickname)
            text.member("formatted", formatted)
        }
    }
}
