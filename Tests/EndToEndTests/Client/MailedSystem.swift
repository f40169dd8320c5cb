import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import Testing

/// A system that takes passwords, and the mails that it sends.
struct MailedSystem: Sendable {
    static let email = "johnny@home.example"
    static let password = "violet otter, 42 stamps"

    let system: ClientSystem
    private let mailbox: KeptMail

    static func run(
        _ way: ClientSystem.Way = .inProcess, _ test: @escaping @Sendable (MailedSystem) async throws -> Void
    ) async throws {
        let mailbox = KeptMail()
        var settings = PasswordSettings(cost: PasswordCost(roundsExponent: 4, blockSize: 1, parallelism: 1))
        settings.makesWay = false
        try await ClientSystem.run(way, mail: mailbox, passwords: settings) { system in
            try await test(MailedSystem(system: system, mailbox: mailbox))
        }
    }

    /// The link in the newest mail of a kind.
    func link(_ kind: Mail.Kind) async throws -> ToldLink {
        try await finishWork()
        return try #require(mailbox.links(of: kind).last.flatMap { ToldLink(TestSystem.publicURL + $0) })
    }

    /// Waits for what the service does after its answers, and delivers the mails.
    func finishWork() async throws {
        await system.system.domain.finishing.idle()
        try await system.system.domain.mailDelivery.drain()
    }

    /// Signs up as an app does, with the link from the mail.
    func signUp(_ client: AccountClient) async throws -> ToldAccount {
        try await client.signUp(email: Self.email, password: Self.password)
        let account = try await client.finishSignUp(link: link(.signUp), password: Self.password)
        // A way in that is linked afterwards is younger than the address.
        system.system.clock.advance(by: .seconds(1))
        return account
    }
}
