import AppleID
import Testing

@Suite("Errors")
struct AppleIDErrorTests {
    struct Cause: Error {}

    @Test("Errors are equal by code, and say their code first")
    func equality() {
        let error = AppleIDError(.tokenExpired, "expired 5 s ago", cause: Cause())
        #expect(error == AppleIDError(.tokenExpired, ""))
        #expect(error != AppleIDError(.audienceMismatch, "expired 5 s ago"))
        #expect("\(error)" == "token_expired: expired 5 s ago")
        #expect(error.file == "AppleIDTests/AppleIDErrorTests.swift")
    }

    @Test(
        "The kind says who has to act",
        arguments: [
            (.tokenExpired, .token), (.signatureInvalid, .token), (.unknownKey, .token), (.malformedCallback, .token),
            (.keysUnavailable, .transient), (.appleUnavailable, .transient), (.malformedAnswer, .transient),
            (.clientRejected, .configuration), (.unknownClient, .configuration), (.invalidPrivateKey, .configuration),
            (.invalidServerURL, .configuration), (.invalidAuthorizationRequest, .configuration),
            (.transferRejected, .onePerson), (.exchangeOutcomeUnknown, .signInAgain),
            (.migrationTokenExpired, .configuration), (.invalidTransfer, .configuration),
            (.grantRejected, .grantIsDead),
            (.subjectMismatch, .token), (.tokenReplayed, .token), (.replayUnknown, .transient),
        ] as [(AppleIDError.Code, AppleIDError.Kind)])
    func kinds(code: AppleIDError.Code, kind: AppleIDError.Kind) {
        #expect(AppleIDError(code, "").kind == kind)
    }
}
