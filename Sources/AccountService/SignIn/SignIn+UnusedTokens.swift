import AppleID
import AppleIDTypes
import Logging

extension SignIn {
    /// What Apple gives once, as long as no transaction has written it.
    enum Unwritten: Sendable {
        /// - Parameter revokingFrom: where it is not kept; nil for what is left then.
        case token(AppleToken, of: TokenOwner, revokingFrom: Timestamp?)
        /// What waits to be verified.
        case answer(OutboxEntry)

        var client: ClientID? {
            switch self {
            case .token(let token, _, _): token.clientID
            case .answer(let entry): entry.clientID
            }
        }
    }

    /// Of a credential. A code of ours has its token kept already.
    func unwritten(_ settled: Settled) throws -> Unwritten? {
        guard settled.ownCode == nil else { return nil }
        if settled.holdsAnswer, let entry = settled.waitingCode { return .answer(entry) }
        return try unwritten(settled.appleToken, of: settled.identity)
    }

    func unwritten(_ token: AppleToken?, of identity: VerifiedIdentity) throws -> Unwritten? {
        try token.map {
            .token($0, of: try owner(of: identity), revokingFrom: now + OutboxEntry.unusedRest)
        }
    }

    /// Of a code alone that whoever presents it may have from somebody else: they must not be able to end that person's
    /// authorization by it.
    func unpresented(_ token: AppleToken?, of identity: VerifiedIdentity) throws -> Unwritten? {
        try token.map { .token($0, of: try owner(of: identity), revokingFrom: nil) }
    }

    func owner(of identity: VerifiedIdentity) throws -> TokenOwner {
        TokenOwner(identity, team: try client(of: identity).team)
    }

    /// What Apple gave is its person's, too, when the work that was to use it is refused or fails: the account is
    /// disabled, the session has ended while Apple was asked, the store does not answer.
    ///
    /// That a transaction whose end is unknown has written it does no harm: both name the token alike.
    func keeping<Result>(_ unwritten: Unwritten?, _ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            guard let unwritten else { throw error }
            let reason = (error as? AccountError)?.code.description ?? (error as? AppleIDError)?.code.description
            await keep(unwritten) { [logger] fate in
                logger.info(
                    "What was asked for is refused after Apple has redeemed its code.",
                    metadata: [
                        "client": "\(unwritten.client?.rawValue ?? "none")", "reason": "\(reason ?? "unexpected")",
                        "token": "\(fate.rawValue)",
                    ])
            }
            throw error
        }
    }

    /// Writes what Apple gives once: at once, or, for nobody to wait for, when the store answers again.
    func keep(
        _ unwritten: Unwritten, then report: @escaping @Sendable (UnusedTokenFate) -> Void = { _ in }
    ) async {
        do {
            report(try await write(unwritten))
        } catch {
            finishing.begin { [self] in
                do {
                    report(try await environment.repeating { try await write(unwritten) })
                } catch let failure {
                    tell(failure, ofTokenFor: unwritten.client)
                    report(.left)
                }
            }
        }
    }

    private func write(_ unwritten: Unwritten) async throws -> UnusedTokenFate {
        switch unwritten {
        case .token(let token, let owner, let revokingFrom):
            let isKept = try await store.keepUnused(token, of: owner, at: now, revokingFrom: revokingFrom)
            if isKept { return .kept }
            return revokingFrom == nil ? .left : .revocation
        case .answer(let entry):
            try await store.insertIntoOutbox(entry)
            return .waiting
        }
    }

    /// That a token is lost.
    func tell(_ failure: any Error, ofTokenFor client: ClientID?) {
        logger.error(
            "A refresh token of Apple's could neither be kept nor revoked.",
            metadata: ["client": "\(client?.rawValue ?? "none")", "error": "\(failure)"])
    }
}

extension TokenOwner {
    init(_ identity: VerifiedIdentity, team: TeamID) {
        self.init(
            team: team, subject: identity.subject, authorizedAt: Timestamp(secondsSince1970: identity.issuedAt))
    }
}
