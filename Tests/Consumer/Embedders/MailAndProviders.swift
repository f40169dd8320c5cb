import AccountMail
import AccountSQLite
import AccountService
import AppleID
import Foundation
import Logging
import OpenIDConnect

// Accounts with mail, passwords and another provider.

struct MailAndProviders {
    let apple: AppleIDClient
    let google: ProviderClient
    let logger: Logger

    func open(_ plain: AccountConfiguration, settings: [String: String]) async throws -> AccountDomain {
        var configuration = plain
        // guide
        configuration.passwords = PasswordSettings()
        let sender = try SMTPSender(
            server: SMTPServer("smtps://accounts@mail.example.com"), password: settings["MAIL_PASSWORD"],
            from: "accounts@example.com", fromName: "Juice", templates: MailTemplates())
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, providers: [google], storage: .sqlite("accounts.db"),
            mail: MailSettings(sender: sender, serviceName: "Juice"), logger: logger)
        // end
        return domain
    }
}
