import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@Suite("A credential")
struct CredentialArchiveTests {
    @Test("is restored from its archive with everything in it")
    func full() throws {
        var name = PersonNameComponents()
        name.namePrefix = "Countess"
        name.givenName = "Ada"
        name.middleName = "King"
        name.familyName = "Lovelace"
        name.nameSuffix = "I"
        name.nickname = "Enchantress"
        let known = ASAuthorizationAppleIDCredential(
            user: "001999.ada", email: "ada@example.com", fullName: name, identityToken: Data("token".utf8),
            authorizationCode: Data("code".utf8), state: "mine", authorizedScopes: [.email],
            realUserStatus: .likelyReal)
        let credential = ASAuthorizationAppleIDCredential(known, userAgeRange: .notChild)
        let back = try #require(try roundTrip(credential))
        #expect(back.user == "001999.ada")
        #expect(back.email == "ada@example.com")
        #expect(back.fullName == name)
        #expect(back.identityToken == Data("token".utf8))
        #expect(back.authorizationCode == Data("code".utf8))
        #expect(back.state == "mine")
        #expect(back.authorizedScopes == [.email])
        #expect(back.realUserStatus == .likelyReal)
        #expect(back.userAgeRange == .notChild)
    }

    @Test("is restored from its archive with absent values absent")
    func bare() throws {
        let back = try #require(try roundTrip(ASAuthorizationAppleIDCredential(user: "001999.ada")))
        #expect(back.user == "001999.ada")
        #expect(back.email == nil)
        #expect(back.fullName == nil)
        #expect(back.identityToken == nil)
        #expect(back.authorizationCode == nil)
        #expect(back.state == nil)
        #expect(back.authorizedScopes == [])
        #expect(back.realUserStatus == .unsupported)
        #expect(back.userAgeRange == .unknown)
    }

    @Test("with a password is restored from its archive, too")
    func password() throws {
        let back = try #require(try roundTrip(ASPasswordCredential(user: "ada", password: "engine")))
        #expect(back.user == "ada")
        #expect(back.password == "engine")
    }

    @Test("cannot be read from an archive of something else")
    func somethingElse() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("engine" as NSString, forKey: "password")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        #expect(ASAuthorizationAppleIDCredential(coder: unarchiver) == nil)
        #expect(ASPasswordCredential(coder: unarchiver) == nil)
    }

    @Test("returns itself as its copy, since it never changes")
    func copies() {
        let credential = ASAuthorizationAppleIDCredential(user: "001999.ada")
        #expect(credential.copy() as? ASAuthorizationAppleIDCredential === credential)
        let password = ASPasswordCredential(user: "ada", password: "engine")
        #expect(password.copy() as? ASPasswordCredential === password)
    }

    @Test("doesn't show its values in its description")
    func description() {
        let credential = ASAuthorizationAppleIDCredential(user: "001999.ada", identityToken: Data("token".utf8))
        #expect(!"\(credential)".contains("001999"))
        #expect(!"\(ASPasswordCredential(user: "ada", password: "engine"))".contains("engine"))
    }

    private func roundTrip<Credential: NSObject & NSSecureCoding>(_ credential: Credential) throws -> Credential? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: credential, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Credential.self, from: data)
    }
}
