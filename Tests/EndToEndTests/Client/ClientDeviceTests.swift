import AccountClient
import Foundation
import OpenAuthenticationServices
import Testing

@Suite("A client in a terminal without a browser", .eachEngine, .timeLimit(.minutes(2)))
struct ClientDeviceTests {
    @Test("the person types the code in a browser elsewhere, sees the app, and allows it")
    func allowed() async throws {
        try await ClientSystem.run { street in
            let client = street.client { configuration in
                configuration.flow = .device
                configuration.showDeviceCode = { code in
                    do {
                        let prompt = try await street.browser.allowDevice(userCode: code.userCode)
                        #expect(prompt.contains("Juice"))
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            let account = try await client.signIn()
            #expect(account.email == "johnny@example.com")
        }
    }

    @Test("a person who denies ends the waiting")
    func denied() async throws {
        try await ClientSystem.run { street in
            let client = street.client { configuration in
                configuration.flow = .device
                configuration.showDeviceCode = { code in
                    do {
                        _ = try await street.browser.allowDevice(userCode: code.userCode, decision: "deny")
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            let error = await #expect(throws: AccountClientError.self) { try await client.signIn() }
            #expect(error?.code == .cancelled)
        }
    }
}
