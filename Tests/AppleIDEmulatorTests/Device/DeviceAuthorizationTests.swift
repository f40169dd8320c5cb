import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Authorizations on a device")
struct DeviceAuthorizationTests {
    @Test("the first authorization gives the app the requested data, and later ones give no name or address")
    func firstAndLater() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.credential([
            "nonce": "nonce-1", "state": "state-1", "fullName": ["givenName": "Jo"], "hideEmail": true,
        ])
        #expect(first["state"] as? String == "state-1")
        #expect(first["authorizedScopes"] as? [String] == ["full_name", "email"])
        #expect(first["fullName"] as? [String: String] == ["givenName": "Jo", "familyName": "Appleseed"])
        #expect(first["realUserStatus"] as? Int == 2)
        #expect(first["userAgeRange"] as? Int == 0)
        let token = try await ReceivedToken(first["identityToken"], from: emulator)
        #expect(token["aud"] == "com.example.juice")
        #expect(token["nonce"] == "nonce-1")
        #expect(token["sub"] == first["user"] as? String)
        #expect(token["email"] == first["email"] as? String)
        #expect(token["email"]?.hasSuffix("@privaterelay.appleid.com") == true)
        #expect(token.number("real_user_status") == 2)
        let code = try #require(first["authorizationCode"] as? String)
        #expect(token["c_hash"] == ReceivedToken.halfHash(code))

        let later = try await emulator.credential()
        #expect(later["user"] as? String == first["user"] as? String)
        #expect(later["fullName"] == nil)
        #expect(later["email"] == nil)
        #expect(later["realUserStatus"] as? Int == 1)
        let laterToken = try await ReceivedToken(later["identityToken"], from: emulator)
        #expect(laterToken["email"] == token["email"])
        #expect(laterToken.claims["real_user_status"] == nil)
    }

    @Test("the code is redeemed without a redirect URI, by the app's own bundle id")
    func code() async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.credential()["authorizationCode"] as? String)
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let answer = try await emulator.redeem(
            code, ["client_id": "com.example.juice", "client_secret": secret, "redirect_uri": nil])
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("device, control call and web share one consent: a person who signed in on the web is asked for nothing")
    func sharedConsent() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.authorize()["user"] != nil)
        #expect(try await emulator.credential()["fullName"] == nil)
        #expect(try await emulator.credential(["clientID": "com.example.soda"])["fullName"] != nil)
    }

    @Test("without scopes the credential has no name and no address")
    func noScopes() async throws {
        let emulator = try await TestEmulator()
        let credential = try await emulator.credential(["requestedScopes": [String]()])
        #expect(Set(credential.keys) == Self.always)
    }

    private static let always: Set<String> = [
        "user", "authorizedScopes", "authorizationCode", "identityToken", "realUserStatus", "userAgeRange",
    ]

    @Test("an emptied name has no components")
    func emptiedName() async throws {
        let emulator = try await TestEmulator()
        let credential = try await emulator.credential(["fullName": ["givenName": "", "familyName": ""]])
        #expect(credential["fullName"] as? [String: String] == [:])
    }

    @Test(
        "errors have the framework's names and numbers",
        arguments: [
            (["decision": "cancel"], "canceled", 1001),
            (["noAccount": "true"], "unknown", 1000),
            (["user": "000000.00000000000000000000000000000000.0000"], "failed", 1004),
        ])
    func errors(changes: [String: String], name: String, code: Int) async throws {
        let emulator = try await TestEmulator()
        var members: [String: any Sendable] = changes
        if changes["noAccount"] != nil {
            members["noAccount"] = true
            members["person"] = NSNull()
        }
        let error = try await emulator.deviceError(members)
        #expect(error["domain"] as? String == "com.apple.AuthenticationServices.AuthorizationError")
        #expect(error["name"] as? String == name)
        #expect(error["code"] as? Int == code)
        #expect(try await emulator.get("/emulator/grants").text == #"{"grants":[]}"#)
    }

    @Test("a missing Apple Account can be a cancellation, and a missing capability is an unknown error")
    func behaviours() async throws {
        let emulator = try await TestEmulator(configure: {
            $0.behaviour.missingDeviceAccount = .canceled
            $0.behaviour.clientsLackCapability = true
            $0.behaviour.credentialOmitsScopes = true
        })
        let noAccount = try await emulator.deviceError(["person": NSNull(), "noAccount": true])
        #expect(noAccount["code"] as? Int == 1001)
        #expect(try await emulator.deviceError()["code"] as? Int == 1000)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["authorized-scopes-empty"]])
        let credential = try await emulator.credential()
        #expect(credential["authorizedScopes"] as? [String] == [])
        #expect(credential["fullName"] != nil)
    }

    @Test("an account without two-factor authentication gets an error, and a child's age range is reported")
    func kindsOfPeople() async throws {
        var portal = TestPortal.portal
        portal.people[0].twoFactor = false
        portal.people[1].child = true
        portal.people[2].child = false
        let emulator = try await TestEmulator(portal: portal)
        #expect(try await emulator.deviceError()["code"] as? Int == 1000)
        #expect(try await emulator.credential(["person": "mono"])["userAgeRange"] as? Int == 1)
        #expect(try await emulator.credential(["person": "mallory"])["userAgeRange"] as? Int == 2)
    }

    @Test("an app may name the user that it expects")
    func expectedUser() async throws {
        let emulator = try await TestEmulator()
        let user = try #require(try await emulator.credential()["user"])
        #expect(try await emulator.credential(["user": user])["user"] as? String == user as? String)
        #expect(try await emulator.deviceError(["user": user, "person": "mono"])["name"] as? String == "failed")
    }

    @Test(
        "a malformed call is refused",
        arguments: [
            (["clientID": "com.example.juice.web"], "invalid_client"),
            (["person": "nobody"], "unknown_person"),
            (["requestedScopes": ["name"]], "invalid_request"),
            (["requestedScopes": ["email", "email"]], "invalid_request"),
            (["realUserStatus": 3], "invalid_request"),
            (["noAccount": true], "invalid_request"),
            (["person": NSNull()], "invalid_request"),
            (["decision": "perhaps"], "invalid_request"),
            (["redirectURI": "https://juice.example.com"], "invalid_request"),
        ] as [([String: any Sendable], String)])
    func badCalls(changes: [String: any Sendable], error: String) async throws {
        let answer = try await TestEmulator().deviceAnswer(changes)
        #expect(answer.status == (error == "unknown_person" ? 404 : 400))
        #expect(answer.error == error, "\(answer.text)")
    }
}
