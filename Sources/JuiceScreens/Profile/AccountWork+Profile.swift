import AccountClient

/// Changes the profile, and asks the person for consent when the account service wants it.
extension AccountWork {
    mutating func updateProfile(_ edit: ProfileEdit) {
        let ask = prepareQuestions()
        Task { [client, events] in
            do throws(AccountClientError) {
                let update = ProfileUpdate(edit, of: await client.account)
                let account = try await client.updateProfile(update) { question in
                    await ask(.consentAsked(ConsentReading(question)))
                }
                events.yield(.profileUpdated(Profile(account)))
            } catch let error where error.code == .cancelled {
                events.yield(.profileFailed(.notChanged))
            } catch {
                events.yield(.profileFailed(LoginNotice(error)))
            }
        }
    }

    func listConsents() {
        askConsents { _ in nil }
    }

    func withdrawConsent(_ id: String) {
        askConsents { client throws(AccountClientError) in
            guard let consent = try await client.consents().first(where: { $0.id == id }) else { return nil }
            let outcome = try await Self.proving(client) { () throws(AccountClientError) in
                try await client.withdrawConsent(consent)
            }
            guard !outcome.unlinked.isEmpty else { return nil }
            let removal = outcome.manualRemoval?.words
            return outcome.isSignedOut
                ? .signedOut(.signedOutByUnlinking(removal: removal)) : .profileFailed(.unlinked(removal: removal))
        }
    }

    /// Changes the consents, then lists them.
    /// - Parameter change: makes the change. If it returns an event, that takes the list's place.
    private func askConsents(
        _ change: @escaping @Sendable (AccountClient) async throws(AccountClientError) -> Event?
    ) {
        Task { [client, events] in
            do throws(AccountClientError) {
                if let event = try await change(client) {
                    events.yield(event)
                } else {
                    events.yield(.consentsListed(try await client.consents().map { ConsentRow($0) }))
                }
            } catch let error where error.code == .cancelled {
                events.yield(.profileFailed(.notChanged))
            } catch {
                events.yield(.profileFailed(LoginNotice(error)))
            }
        }
    }
}

extension LoginNotice {
    static let notChanged = LoginNotice(kind: .note, text: "Nothing was changed.")
}

extension ProfileUpdate {
    /// - Parameter account: has the parts of the name that Juice does not show. They stay.
    fileprivate init(_ edit: ProfileEdit, of account: Account?) {
        self.init()
        switch edit {
        case .name(let givenName, let familyName):
            var name = account?.name ?? PersonNameComponents()
            name.givenName = givenName.isEmpty ? nil : givenName
            name.familyName = familyName.isEmpty ? nil : familyName
            self.name = .set(name)
        case .contactEmail(let address): contactEmail = address.isEmpty ? .remove : .set(address)
        case .phone(let number): phone = number.isEmpty ? .remove : .set(number)
        }
    }
}

extension ConsentReading {
    init(_ question: ConsentQuestion) {
        self.init(purposes: question.purposes.map(\.words), text: question.text)
    }
}

extension ConsentRow {
    fileprivate init(_ consent: Consent) {
        self.init(
            id: consent.id, purpose: consent.purpose.words, isToWayIn: consent.purpose == .linkedIdentity,
            textVersion: consent.textVersion,
            givenAt: consent.givenAt, withdrawnAt: consent.withdrawnAt, deviceName: consent.deviceName)
    }
}

extension ConsentPurpose {
    /// As it stands after "your".
    fileprivate var words: String {
        switch self {
        case .contactEmail: "contact address"
        case .phone: "phone number"
        case .linkedIdentity: "other way to sign in"
        default: rawValue
        }
    }
}
