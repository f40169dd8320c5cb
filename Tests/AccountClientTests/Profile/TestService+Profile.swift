import AccountAPI
import AccountClient
import Foundation

extension TestService {
    /// Changes the account as asked. A new contact address waits for its link.
    func changeProfile(_ request: ServiceRequest) throws -> ServiceAnswer {
        let change = try JSONDecoder().decode(ProfileUpdateRequest.self, from: request.body ?? Data())
        var account = account
        switch change.name {
        case .unchanged: break
        case .remove: account.name = nil
        case .set(let name):
            account.name = AccountName(
                givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
                namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname,
                formatted: [name.givenName, name.familyName].compactMap { $0 }.joined(separator: " "))
        }
        switch change.contactEmail {
        case .unchanged: break
        case .remove: (account.contactEmail, account.pendingContactEmail) = (nil, nil)
        case .set(let address): account.pendingContactEmail = address
        }
        switch change.phone {
        case .unchanged: break
        case .remove: account.phone = nil
        case .set(let phone): account.phone = phone
        }
        self.account = account
        return try .json(200, AccountAnswer(account: account))
    }

    /// Asks for consent to one version of the text after the other, until a request has the last one.
    func requireConsent(_ purposes: [ConsentBody.Purpose], to versions: String...) {
        for version in versions {
            on("GET /v1/consent-texts/\(version)") { _ in
                try .json(200, ConsentTextAnswer(version: version, language: "de", text: "Text \(version)"))
            }
        }
        on("PATCH /v1/account") { [self] request in
            let given = (request.json["consent"] as? [String: Any])?["textVersion"] as? String
            guard given != versions.last else { return try changeProfile(request) }
            let next = versions.firstIndex { $0 == given }.map { versions[$0 + 1] } ?? versions[0]
            return try .consentRequired(purposes, textVersion: next)
        }
    }
}

extension ServiceAnswer {
    static func consentRequired(_ purposes: [ConsentBody.Purpose], textVersion: String) throws -> Self {
        let details = RequiredConsent(purposes: purposes, textVersion: textVersion)
        return try json(
            409,
            ErrorEnvelope(
                ErrorEnvelope.Body(
                    code: .consentRequired, message: "no", requestID: "r", details: .consentRequired(details))))
    }
}
