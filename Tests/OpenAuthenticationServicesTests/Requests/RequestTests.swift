import OpenAuthenticationServices
import Testing

@Suite("A request")
struct RequestTests {
    private func full() -> ASAuthorizationAppleIDRequest {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.email, .fullName]
        request.state = "state"
        request.nonce = "nonce"
        request.user = "001999.ada"
        request.requestedOperation = .operationRefresh
        return request
    }

    private func expectFull(_ request: ASAuthorizationAppleIDRequest) {
        #expect(request.requestedScopes == [.email, .fullName])
        #expect(request.state == "state")
        #expect(request.nonce == "nonce")
        #expect(request.user == "001999.ada")
        #expect(request.requestedOperation == .operationRefresh)
    }

    @Test("has no values until they are set")
    func fresh() {
        let provider = ASAuthorizationAppleIDProvider()
        let request = provider.createRequest()
        #expect(request.provider === provider)
        #expect(request.requestedScopes == nil)
        #expect(request.state == nil)
        #expect(request.nonce == nil)
        #expect(request.user == nil)
        #expect(request.requestedOperation == .operationImplicit)
    }

    @Test("has the provider of its kind")
    func passwordProvider() {
        let provider = ASAuthorizationPasswordProvider()
        #expect(provider.createRequest().provider === provider)
    }

    @Test("keeps the values that are set")
    func keeps() {
        expectFull(full())
    }

    @Test("has copies with the same values that change independently")
    func copies() throws {
        let request = full()
        let copy = try #require(request.copy() as? ASAuthorizationAppleIDRequest)
        #expect(copy !== request)
        #expect(copy.provider === request.provider)
        expectFull(copy)
        copy.state = "other"
        request.nonce = "other"
        #expect(request.state == "state")
        #expect(copy.nonce == "nonce")
    }

    @Test("is restored from its archive")
    func archive() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: full(), requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: ASAuthorizationAppleIDRequest.self, from: data)
        expectFull(try #require(back))
        #expect(back?.provider is ASAuthorizationAppleIDProvider)
    }

    @Test("tells absent scopes from empty ones in its archive", arguments: [nil, []] as [[ASAuthorization.Scope]?])
    func archivedScopes(scopes: [ASAuthorization.Scope]?) throws {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = scopes
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: ASAuthorizationAppleIDRequest.self, from: data)
        #expect(try #require(back).requestedScopes == scopes)
    }

    @Test("for a password is copied and archived too")
    func password() throws {
        let request = ASAuthorizationPasswordProvider().createRequest()
        let copy = try #require(request.copy() as? ASAuthorizationPasswordRequest)
        #expect(copy !== request)
        #expect(copy.provider === request.provider)
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: ASAuthorizationPasswordRequest.self, from: data)
        #expect(back?.provider is ASAuthorizationPasswordProvider)
    }

    @Test("can be written from several threads")
    func threads() async {
        let request = full()
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    request.state = "\(number)"
                    request.requestedScopes = [.email]
                }
            }
        }
        #expect(request.state.flatMap { Int($0) } != nil)
        #expect(request.requestedScopes == [.email])
    }
}
