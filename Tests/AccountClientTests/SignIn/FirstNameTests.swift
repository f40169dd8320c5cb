import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("The name that Apple tells once", .timeLimit(.minutes(2)))
struct FirstNameTests {
    private let device = TestDevice()

    @Test("A name is stored before the account service is asked, and forgotten once that has it")
    func keptUntilTaken() async throws {
        device.service.on("POST /v1/sign-in/apple") { [device] request in
            #expect(try device.stored?.contains("Lovelace") == true)
            return try device.service.usualAnswer(to: request)
        }
        device.service.account.name = nil
        try await device.client().signIn(with: TestDevice.credential(fullName: ada))
        #expect(try device.stored?.contains("Lovelace") == false)
    }

    @Test("After a failure the next sign-in of the same person brings the name, even from another start of the app")
    func comesAgain() async throws {
        device.service.on("POST /v1/sign-in/apple", .refusal(401, .grantRejected), .usual)
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential(fullName: ada)) }
        #expect(error?.code == .refused(.grantRejected))
        try await device.client().signIn(with: TestDevice.credential())
        #expect(givenNames() == ["Ada", "Ada"])
        try await device.client().signIn(with: TestDevice.credential())
        #expect(givenNames() == ["Ada", "Ada", nil])
    }

    @Test("The name is sent for nobody else, and other people keep their own stored names")
    func ofNobodyElse() async throws {
        device.service.on("POST /v1/sign-in/apple", .refusal(401, .expired), .refusal(401, .expired), .usual)
        let client = try device.client()
        let bob = PersonNameComponents(givenName: "Bob")
        #expect(await failure { try await client.signIn(with: TestDevice.credential(fullName: ada)) } != nil)
        let other = TestDevice.credential(user: "002000.bbbb", fullName: bob)
        #expect(await failure { try await client.signIn(with: other) } != nil)
        try await client.signIn(with: TestDevice.credential(user: "003000.cccc"))
        try await client.signIn(with: TestDevice.credential(user: "002000.bbbb"))
        try await client.signOut()
        try await client.signIn(with: TestDevice.credential())
        #expect(givenNames() == ["Ada", "Bob", nil, "Bob", "Ada"])
    }

    @Test(
        "A name without parts doesn't replace a stored name",
        arguments: [
            PersonNameComponents(), PersonNameComponents(givenName: "", familyName: ""),
        ])
    func empty(name: PersonNameComponents) async throws {
        device.service.on("POST /v1/sign-in/apple", .refusal(401, .expired), .usual)
        let client = try device.client()
        #expect(await failure { try await client.signIn(with: TestDevice.credential(fullName: ada)) } != nil)
        try await client.signIn(with: TestDevice.credential(fullName: name))
        #expect(givenNames() == ["Ada", "Ada"])
    }

    private func givenNames() -> [String?] {
        device.service.requests("POST /v1/sign-in/apple").map {
            ($0.json["fullName"] as? [String: Any])?["givenName"] as? String
        }
    }
}
