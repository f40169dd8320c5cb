import AccountAPI
package import StrictJSON

// What nearly every answer is made of, in the order in which it encodes itself.

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
