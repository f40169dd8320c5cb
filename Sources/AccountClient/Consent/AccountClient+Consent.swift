import AccountAPI
import AccountConnection

extension AccountClient {
    /// Lists the consents that the person has given, newest first, with those that they have withdrawn.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`.
    public func consents() async throws(AccountClientError) -> [Consent] {
        try await calls.consents()
    }

    /// Fetches the text that a person agreed to, in their language if the service has it.
    ///
    /// It needs no session. Throws `backendUnavailable`, `cancelled`, `invalidResponse`, and `refused` with
    /// `consent_text_unknown` if the service no longer has this version.
    public func consentText(of consent: Consent) async throws(AccountClientError) -> ConsentText {
        try await calls.consentText(consent.textVersion)
    }
}

extension AccountCalls {
    /// The version that a request for a text may name in place of a number.
    private static let currentVersion = "current"

    func consents() async throws(AccountClientError) -> [Consent] {
        try await call(doing: "asking for the consents") { token throws(ServiceError) in
            try await connection.send("GET", "/v1/consents", accessToken: token, as: ConsentListAnswer.self)
        }.consents.map { Consent($0) }
    }

    /// The number of times that a call asks the person. The text can change while they read it.
    private static let maximumQuestions = 3

    /// Makes a call that may need the person's consent. If the service wants it, asks the person, and makes the call again.
    /// - Parameters:
    ///   - ask: shows the question; nil never asks.
    ///   - work: the call, with the consent that the person has given so far.
    func withConsent<Value: Sendable>(
        _ ask: ConsentPrompt?, _ work: (ConsentGivenBody?) async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        var consent: ConsentGivenBody?
        var questions = 0
        while true {
            do throws(AccountClientError) {
                return try await work(consent)
            } catch {
                guard let ask, questions < Self.maximumQuestions, let required = error.requiredConsent,
                    required.textVersion != consent?.textVersion
                else { throw error }
                questions += 1
                let question = try await question(required)
                guard await ask(question) else {
                    throw AccountClientError(.cancelled, "the person did not consent", cause: error)
                }
                if Task.isCancelled {
                    throw AccountClientError(.cancelled, "cancelled while the person was asked for consent")
                }
                consent = ConsentGivenBody(textVersion: question.textVersion)
            }
        }
    }

    /// The question that a refused request needs an answer to.
    func question(_ required: RequiredConsent) async throws(AccountClientError) -> ConsentQuestion {
        let text: ConsentText
        do throws(AccountClientError) {
            text = try await consentText(required.textVersion)
        } catch let error where error.code == .refused(.consentTextUnknown) {
            // The operator has replaced the text since.
            text = try await consentText(Self.currentVersion)
        }
        return ConsentQuestion(
            purposes: required.purposes.map { ConsentPurpose(rawValue: $0.rawValue) }, text: text.text,
            language: text.language, textVersion: text.version)
    }

    func consentText(_ version: String) async throws(AccountClientError) -> ConsentText {
        let answer: ConsentTextAnswer
        do throws(ServiceError) {
            answer = try await environment.retries(3) { () async throws(ServiceError) in
                try await connection.send(
                    "GET", "/v1/consent-texts/\(version.inQuery)", languages: environment.languages(),
                    as: ConsentTextAnswer.self)
            }
        } catch {
            throw AccountClientError(error, doing: "asking for the text of a consent")
        }
        guard version == Self.currentVersion || version == answer.version else {
            throw AccountClientError(.invalidResponse, "the account service gave another text than the one asked for")
        }
        return ConsentText(version: answer.version, language: answer.language, text: answer.text)
    }
}
