import AccountSQLite
import AccountService
import AppleID
import AppleIDTransport
import Logging

// Profiles, consents and mail without HTTP: a program that sends mail in a way of its own.

struct OwnMail: MailSender {
    func send(_ mail: Mail) async -> MailAnswer {
        switch mail.kind {
        case .verifyAddress: print(mail.id, mail.recipient, mail.values["link"] ?? "", mail.languages.first ?? "en")
        default: return .refused(failure: "template_failed")
        }
        return mail.isRelayAddress ? .held(failure: "relay_forwarding_off") : .delivered
    }
}

struct People {
    let domain: AccountDomain
    let caller = Caller(address: "192.0.2.1", device: nil, languages: ["en"])

    static func open(apple: AppleIDClient, configuration: AccountConfiguration, logger: Logger) async throws -> People {
        var configuration = configuration
        configuration.consentTexts = try ConsentTexts([
            ConsentTexts.Text(version: "2026-01", language: "en", text: "We write to you at this address.")
        ])
        return try await People(
            domain: AccountDomain.open(
                configuration: configuration, apple: apple, storage: .inMemory,
                mail: MailSettings(sender: OwnMail(), serviceName: "Juice"), logger: logger))
    }

    // MARK: The profile

    func change(_ session: StoredSession, agreed: Bool) async throws -> Account {
        let update = ProfileUpdate(
            contactEmail: .set(try EmailAddress("ann@example.com")), phone: .set(try PhoneNumber("+15550100100")),
            consent: agreed ? ConsentGiven(textVersion: domain.consents.texts.current) : nil)
        do {
            return try await domain.profiles.update(update, in: session, from: caller)
        } catch let error as AccountError where error.code == .consentRequired {
            guard let asked = error.consent else { throw error }
            print(asked.purposes, try domain.consents.texts.text(asked.textVersion).text)
            throw error
        }
    }

    func open(link: String, in session: StoredSession) async throws {
        guard let secret = LinkSecret(rawValue: link) else { return }
        print(try await domain.profiles.pendingContact(secret).address)
        let account = try await domain.profiles.confirmContact(secret, in: session, from: caller)
        print(account.contactEmail ?? "", account.phone ?? "")
    }

    func takeBack(link: String) async throws {
        guard let secret = LinkSecret(rawValue: link) else { return }
        print(try await domain.profiles.takeBack(secret, from: caller).accountID)
    }

    // MARK: Consents

    func withdrawAll(of session: StoredSession) async throws {
        for consent in try await domain.consents.list(of: session.session.accountID) where consent.withdrawnAt == nil {
            _ = try await domain.consents.withdraw(consent.id, in: session, from: caller)
        }
    }
}
