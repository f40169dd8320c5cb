package import AppleID
import AppleIDTypes
import Crypto
import Foundation

/// Checks a configuration, asks Apple about it, and reports which value is wrong.
package struct Doctor {
    /// Apple's answers about one client.
    struct ClientAnswers {
        let id: ClientID
        /// Apple's answer when the client asked for an access token of its own.
        let token: AppleAnswer
        /// Apple's answer to the sign-in that was begun; nil for apps, and if no return URL is known.
        let authorize: AppleAnswer?
    }

    let settings: DoctorSettings
    let questions: AppleQuestions
    private let transport: any AppleTransport
    private let lookup: TextLookup
    private let environment: AppleIDEnvironment

    /// - Parameter lookup: looks up the DNS records of mail domains.
    package init(
        settings: DoctorSettings, transport: any AppleTransport, lookup: TextLookup = TextLookup(),
        environment: AppleIDEnvironment = .live
    ) {
        self.settings = settings
        self.transport = transport
        self.lookup = lookup
        self.environment = environment
        questions = AppleQuestions(server: settings.server, transport: transport)
    }

    /// Returns all findings, in the order in which a person would fix them.
    package func examine() async -> [Finding] {
        var findings = settings.findings + IdentifierChecks(settings: settings).findings()
        let (keyFindings, key) = KeyFileCheck(settings: settings).examine()
        findings += keyFindings
        findings += ReturnURLCheck(settings: settings).findings()
        findings += WellKnownFileChecks(settings: settings, now: now).findings()
        findings += await TeamInDatabaseCheck(settings: settings).findings()
        let secret = settings.clientSecret.map { HandedSecret($0, settings: settings, now: now) }
        findings += secret?.findings ?? []

        let (answer, date) = await questions.keys()
        let reached = Self.reachability(answer, server: settings.server)
        findings.append(reached)
        guard reached.outcome == .passed else {
            return await findings + providers() + mail() + [
                .skipped("clients", "without an answer nothing can be said about them")
            ]
        }
        let clock = ClockCheck.examine(date, now: environment.now())
        findings.append(clock.finding)

        var evidence = InvalidClientCause.Evidence(
            // An emulator's clock may stand elsewhere than its answers say.
            isClockRight: settings.server == .apple || clock.isRight == false ? clock.isRight : nil,
            isTeamFormRight: settings.team.map { PortalID.isWellFormed($0.rawValue) } ?? true,
            isKeyIDFormRight: settings.keyID.map { PortalID.isWellFormed($0.rawValue) } ?? true)
        if let keyID = settings.keyID, let named = IdentifierChecks.keyID(ofFile: settings.keyFile) {
            evidence.isFileOfKeyID = named == keyID.rawValue
        }
        if let key {
            let answers = await ask(with: key)
            evidence.areAllRefused =
                answers.count > 1
                && answers.allSatisfy { if case .refused(.invalidClient, _) = $0.token { true } else { false } }
            for client in answers {
                evidence.isKeyAccepted = answers.contains { $0.id != client.id && $0.token.isClientAccepted }
                let diagnosis = ClientDiagnosis(client: client, evidence: evidence, questions: questions)
                findings += diagnosis.findings(returnURL: settings.returnURL)
            }
        } else if settings.clientSecret == nil {
            findings.append(.skipped("clients", "without key, Key ID and Team ID Apple cannot be asked about them"))
        }
        if let secret, let subject = secret.subject {
            let answer = await questions.authenticate(client: subject, secret: secret.text)
            evidence.isKeyAccepted = false
            findings.append(secret.finding(for: answer, evidence: evidence))
        }
        return await findings + providers() + mail()
    }

    private var now: Int64 { Int64(environment.now().timeIntervalSince1970) }

    private func providers() async -> [Finding] {
        await ProviderChecks(settings: settings, transport: transport, now: environment.now).findings()
    }

    private func mail() async -> [Finding] {
        var findings: [Finding] = []
        var domains = settings.mailDomains
        if let mail = settings.mail {
            findings += await MailSenderCheck(mail: mail).findings()
            // Without a full stop it is a name of this machine, which the DNS doesn't know.
            if MailDomain.isName(mail.domain), !domains.contains(mail.domain) { domains.insert(mail.domain, at: 0) }
        }
        for domain in domains {
            findings += await MailDomain(name: domain, selector: settings.dkimSelector).findings(asking: lookup)
        }
        return findings
    }

    private func ask(with key: AppleClientKey) async -> [ClientAnswers] {
        let services = settings.servicesIDs.map { (id: $0, kind: ClientRegistration.Kind.service) }
        var answers: [ClientAnswers] = []
        for (id, kind) in settings.bundleIDs.map({ (id: $0, kind: ClientRegistration.Kind.app) }) + services {
            let secret: ClientSecret
            do {
                secret = try ClientSecret(for: ClientRegistration(id: id, kind: kind, key: key), at: now)
            } catch {
                answers.append(ClientAnswers(id: id, token: .none(error.reason), authorize: nil))
                continue
            }
            var authorize: AppleAnswer?
            if kind == .service, let returnURL = settings.returnURL {
                authorize = await questions.authorize(client: id, returnURL: returnURL)
            }
            answers.append(
                ClientAnswers(
                    id: id, token: await questions.authenticate(client: id, secret: secret.rawValue),
                    authorize: authorize))
        }
        return answers
    }

    private static func reachability(_ answer: AppleAnswer, server: AppleServer) -> Finding {
        let name = "apple"
        switch answer {
        case .good(let body):
            do {
                _ = try KeyCache(fixed: body)
                return .passed(name, "\(server.keysURL) answers with a key set")
            } catch {
                return .failed(
                    name, "no_key_set", "\(server.keysURL) answers, but not with a key set",
                    hint: "something answers in Apple's place: a proxy, a login page of the network, or a wrong URL")
            }
        case .refused(let word, _):
            return .failed(
                name, "no_key_set", "\(server.keysURL) answers \(word)", hint: "is this Apple or an emulator at all?")
        case .throttled:
            return .failed(name, "throttled", "\(server.keysURL) says: too many requests", hint: "try again later")
        case .none(let reason):
            return .failed(
                name, "unreachable", "\(server.keysURL): \(reason)",
                hint: server == .apple
                    ? "curl -v \(server.keysURL) shows more: name resolution, a firewall, a proxy that wants to "
                        + "be named, or Apple's edge that refuses this network"
                    : "is the emulator running, at this very address? siwa emulate")
        }
    }
}

extension AppleAnswer {
    /// Whether Apple accepted the client and its secret. Only a token shows that: each error can come before Apple
    /// checks the client.
    var isClientAccepted: Bool {
        if case .good = self { true } else { false }
    }
}
