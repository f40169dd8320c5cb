import AccountClient
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("A client in a terminal without a browser", .eachEngine, .timeLimit(.minutes(2)))
struct ClientDeviceTests {
    /// A client that shows its code to a person, and asks for the credential once the person has decided. The service
    /// wants it to wait for five seconds.
    private func makeClient(
        of street: ClientSystem, _ decide: @escaping @Sendable (DeviceCode) async throws -> Void
    ) -> AccountClient {
        let decided = OneShot<Void>()
        var configuration = street.configuration()
        configuration.flow = .device
        configuration.showDeviceCode = { code in
            do {
                try await decide(code)
                decided.deliver()
            } catch {
                Issue.record(error)
                decided.deliver(.failure(error))
            }
        }
        let time = FlowTime(now: { Date() }) { pause in
            // The time limit of the whole flow is longer, and does not end here.
            guard pause < .seconds(30) else { return try await OneShot<Void>().value() }
            try await decided.value()
        }
        return AccountClient(
            configuration: configuration, storage: MemoryStorage(), environment: .system, time: time)
    }

    @Test("the person types the code in a browser elsewhere, sees the app, and allows it")
    func allowed() async throws {
        try await ClientSystem.run { street in
            let client = makeClient(of: street) { code in
                let prompt = try await street.browser.allowDevice(userCode: code.userCode)
                #expect(prompt.contains("Juice"))
            }
            let account = try await client.signIn()
            #expect(account.email == "johnny@example.com")
        }
    }

    @Test("a person who denies the device ends the sign-in")
    func denied() async throws {
        try await ClientSystem.run { street in
            let client = makeClient(of: street) { code in
                _ = try await street.browser.allowDevice(userCode: code.userCode, decision: "deny")
            }
            let error = await #expect(throws: AccountClientError.self) { try await client.signIn() }
            #expect(error?.code == .cancelled)
        }
    }
}
