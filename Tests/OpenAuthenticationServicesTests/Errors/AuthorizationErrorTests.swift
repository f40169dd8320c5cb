import OpenAuthenticationServices
import Testing

@Suite("An authorization error")
struct AuthorizationErrorTests {
    static let codes: [(ASAuthorizationError.Code, Int)] = [
        (ASAuthorizationError.unknown, 1000), (ASAuthorizationError.canceled, 1001),
        (ASAuthorizationError.invalidResponse, 1002), (ASAuthorizationError.notHandled, 1003),
        (ASAuthorizationError.failed, 1004), (ASAuthorizationError.notInteractive, 1005),
        (ASAuthorizationError.matchedExcludedCredential, 1006), (ASAuthorizationError.credentialImport, 1007),
        (ASAuthorizationError.credentialExport, 1008), (ASAuthorizationError.preferSignInWithApple, 1009),
        (ASAuthorizationError.deviceNotConfiguredForPasskeyCreation, 1010),
    ]

    @Test("has Apple's number for each code, both ways", arguments: codes)
    func numbers(code: ASAuthorizationError.Code, number: Int) {
        #expect(code.rawValue == number)
        #expect(ASAuthorizationError.Code(rawValue: number) == code)
        #expect(ASAuthorizationError(code).errorCode == number)
    }

    @Test("has no code for another number")
    func noCode() {
        #expect(ASAuthorizationError.Code(rawValue: 999) == nil)
        #expect(ASAuthorizationError.Code(rawValue: 1011) == nil)
    }

    @Test("has Apple's domain")
    func domain() {
        #expect(ASAuthorizationErrorDomain == "com.apple.AuthenticationServices.AuthorizationError")
        #expect(ASAuthorizationError.errorDomain == ASAuthorizationErrorDomain)
        #expect((ASAuthorizationError(.failed) as NSError).domain == ASAuthorizationErrorDomain)
    }

    @Test("is caught by its own code only")
    func caught() {
        let thrown: any Error = ASAuthorizationError(.canceled)
        do {
            throw thrown
        } catch ASAuthorizationError.failed {
            Issue.record("caught as failed")
        } catch ASAuthorizationError.canceled {
            #expect(ASAuthorizationError.canceled.rawValue == 1001)
        } catch {
            Issue.record("not caught as canceled")
        }
    }

    @Test("is restored from the NSError that it became", arguments: codes)
    func throughNSError(code: ASAuthorizationError.Code, number: Int) {
        let error = ASAuthorizationError(code, reason: .refused, underlying: URLError(.timedOut))
        let plain = error as any Error as NSError
        #expect(plain.code == number)
        let back = ASAuthorizationError(_nsError: plain)
        #expect(back.code == code)
        #expect(back.reason == .refused)
        #expect((back.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == .timedOut)
        #expect(back.errorUserInfo[ASAuthorizationError.reasonKey] as? String == "refused")
    }

    @Test("made of a foreign NSError is unknown, whatever the number")
    func foreign() {
        #expect(ASAuthorizationError(_nsError: NSError(domain: "elsewhere", code: 1001)).code == .unknown)
        #expect(ASAuthorizationError(_nsError: NSError(domain: ASAuthorizationErrorDomain, code: 7)).code == .unknown)
    }

    @Test("is found by a cast from any Error")
    func cast() {
        let error: any Error = ASAuthorizationError(.notInteractive)
        #expect((error as? ASAuthorizationError)?.code == .notInteractive)
    }

    @Test("equals another with the same code and information, and hashes alike")
    func equality() {
        let error = ASAuthorizationError(.canceled, reason: .timedOut)
        #expect(error == ASAuthorizationError(.canceled, reason: .timedOut))
        #expect(error != ASAuthorizationError(.canceled, reason: .superseded))
        #expect(error != ASAuthorizationError(.failed, reason: .timedOut))
        #expect(Set([error, ASAuthorizationError(.canceled, reason: .timedOut)]).count == 1)
        let caused = ASAuthorizationError(.canceled, reason: .timedOut, underlying: URLError(.timedOut))
        #expect(caused != error)
        #expect(caused == ASAuthorizationError(.canceled, reason: .timedOut, underlying: URLError(.timedOut)))
    }

    @Test("describes what happened and why")
    func sentences() {
        let error = ASAuthorizationError(.canceled, reason: .noStoredCredential)
        #expect(error.localizedDescription == "The sign-in was cancelled.")
        #expect((error as NSError).localizedFailureReason == "Nobody has signed in here before.")
        let explained = ASAuthorizationError(.failed, reason: .refused, explanation: "The app is not known there.")
        #expect((explained as NSError).localizedFailureReason == "The app is not known there.")
    }

    @Test("has the reason's word in its userInfo")
    func reason() {
        #expect(ASAuthorizationError.reasonKey == "siwaReason")
        #expect(ASAuthorizationError(.canceled).reason == nil)
        let unknown = ASAuthorizationError(.failed, userInfo: [ASAuthorizationError.reasonKey: "later"])
        #expect(unknown.reason == ASAuthorizationError.Reason(rawValue: "later"))
    }

    static let reasons: [(ASAuthorizationError.Reason, String)] = [
        (.noStoredCredential, "noStoredCredential"), (.timedOut, "timedOut"), (.superseded, "superseded"),
        (.cancelledByApp, "cancelledByApp"), (.cancelledAtApple, "cancelledAtApple"), (.denied, "denied"),
        (.expired, "expired"), (.notConfigured, "notConfigured"), (.noRequest, "noRequest"),
        (.unsupportedOperation, "unsupportedOperation"), (.stateMismatch, "stateMismatch"),
        (.nonceMismatch, "nonceMismatch"), (.unreadableAnswer, "unreadableAnswer"), (.otherUser, "otherUser"),
        (.serviceUnavailable, "serviceUnavailable"), (.refused, "refused"), (.noBrowser, "noBrowser"),
    ]

    @Test("has a sentence for each reason", arguments: reasons)
    func reasonSentences(reason: ASAuthorizationError.Reason, word: String) throws {
        #expect(reason.rawValue == word)
        let sentence = try #require((ASAuthorizationError(.failed, reason: reason) as NSError).localizedFailureReason)
        #expect(sentence != word)
        #expect(sentence.hasSuffix("."))
    }
}
