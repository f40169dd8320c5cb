import AccountAPI
package import AccountService
import AppleID
import AppleIDTypes
import Foundation
package import Logging

/// The document of `GET /v1/account/export`, for an operator who was asked for it.
package struct ExportDocument: Sendable {
    private let exports: Exports

    package init(store: AccountTransactions, keyRing: KeyRing, logger: Logger) {
        exports = Exports(store: store, keyRing: keyRing, logger: logger)
    }

    /// - Returns: JSON, spread over lines.
    /// - Throws: `AccountError` with the code `sessionEnded` when the account is gone.
    package func json(of account: AccountID) async throws -> String {
        let (export, kept, activity) = try await exports.export(account)
        let answer = AccountExportAnswer(export, kept: kept, activity: activity, exportedAt: APITime(Date()))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(answer), as: UTF8.self)
    }
}

extension AccountExportAnswer {
    init(_ export: AccountExport, kept: [OpenedProfile], activity: [AuditEntry], exportedAt: APITime) {
        self.init(
            exportedAt: exportedAt, accountID: export.id.rawValue, name: export.name.map { AccountName($0) },
            nameTypedAt: export.nameTypedAt.map { APITime($0) }, contactEmail: export.contactEmail,
            contactEmailVerifiedAt: export.contactEmailVerifiedAt.map { APITime($0) },
            pendingContactEmail: export.pendingContactEmail, phone: export.phone,
            formerContacts: export.contactChanges.map { change in
                ExportedFormerContact(
                    address: change.formerAddress, changedAt: APITime(change.changedAt),
                    keptUntil: APITime(change.expiresAt))
            },
            formerIDs: export.formerIDs.map { former in
                ExportedFormerID(source: former.source, id: former.id, importedAt: APITime(former.importedAt))
            },
            mergedAccounts: export.mergedAccounts.map {
                ExportedMergedAccount(id: $0.id.rawValue, mergedAt: APITime($0.mergedAt))
            },
            createdAt: APITime(export.createdAt), identities: export.identities.map { ExportedIdentity($0) },
            sessions: export.sessions.map { ExportedSession($0) }, activity: activity.map { ExportedActivity($0) },
            kept: kept.map { facts in
                ExportedPendingProfile(name: facts.name.map { AccountName($0) }, email: facts.address?.email)
            },
            consents: export.consents.map { ExportedConsent($0) },
            pending: export.outbox.map { entry in
                ExportedTask(
                    kind: entry.kind.rawValue, state: entry.state.rawValue, createdAt: APITime(entry.createdAt))
            }
                + export.mails.map { mail in
                    ExportedTask(
                        kind: "mail_" + mail.kind.rawValue, state: mail.state.rawValue,
                        createdAt: APITime(mail.createdAt))
                },
            sentMails: export.sentMails.map { mail in
                ExportedSentMail(kind: mail.kind.rawValue, sentAt: APITime(mail.sentAt))
            },
            openLinks: export.openLinks.map { link in
                ExportedLink(
                    kind: link.kind.rawValue, session: link.session.rawValue, device: link.device,
                    expiresAt: APITime(link.expiresAt))
            }
                + export.emailLinks.map { link in
                    ExportedLink(
                        kind: Self.kind(of: link.purpose), session: nil, device: nil, address: link.address,
                        expiresAt: APITime(link.expiresAt))
                },
            announcements: export.announcements,
            events: export.events.map { AccountEventBody($0) },
            notifications: export.notifications.map { told in
                ExportedNotification(
                    type: told.type.rawValue, clientID: told.audience.rawValue, outcome: told.outcome.rawValue,
                    happenedAt: APITime(told.happenedAt), receivedAt: APITime(told.receivedAt))
            },
            cut: export.cut.map(\.rawValue).sorted())
    }

    /// The kind of mail that a link is in.
    private static func kind(of purpose: EmailLink.Purpose) -> String {
        switch purpose {
        case .signUp: Mail.Kind.signUp.rawValue
        case .signIn: Mail.Kind.signInLink.rawValue
        case .reset: Mail.Kind.passwordReset.rawValue
        default: purpose.rawValue
        }
    }
}

extension ExportedIdentity {
    fileprivate init(_ held: AccountExport.HeldIdentity) {
        let identity = held.identity
        self.init(
            id: identity.id.rawValue, provider: identity.provider.rawValue, team: identity.team.rawValue,
            subject: identity.subject.rawValue, email: identity.email, emailVerified: identity.emailVerified,
            isPrivateEmail: identity.isPrivateEmail,
            emailForwarding: identity.access.forwardsEmail.map { $0 ? .enabled : .disabled },
            realUserStatus: identity.access.realUserStatus?.rawValue,
            organizationID: identity.access.organizationID,
            appleAccess: identity.provider != .apple ? nil : identity.access.ended == nil ? .granted : .ended,
            appleAccessEndedAt: (identity.access.ended?.at).map { APITime($0) },
            passwordSetAt: held.passwordSetAt.map { APITime($0) },
            isPasswordOff: held.passwordSetAt.map { _ in held.isPasswordOff },
            createdAt: APITime(identity.createdAt), lastSignInAt: APITime(identity.lastSignInAt),
            lastAuthorizedAt: identity.access.lastAuthorizedAt.map { APITime($0) },
            appleTokens: held.appleTokens.map { token in
                ExportedAppleToken(clientID: token.clientID.rawValue, obtainedAt: APITime(token.obtainedAt))
            },
            transfers: held.transfers.map { transfer in
                ExportedTransfer(
                    fromTeam: transfer.source.rawValue, toTeam: transfer.target.rawValue,
                    formerSubject: transfer.formerSubject?.rawValue,
                    transferSubject: transfer.transferSubject?.rawValue, movedAt: transfer.movedAt.map { APITime($0) })
            })
    }
}

extension ExportedSession {
    fileprivate init(_ held: AccountExport.HeldSession) {
        let session = held.session
        self.init(
            id: session.id.rawValue, kind: session.kind.rawValue, clientID: session.clientID.rawValue,
            deviceName: session.deviceName?.rawValue, createdAt: APITime(session.createdAt),
            authenticatedAt: APITime(session.authenticatedAt), lastUsedAt: APITime(session.lastUsedAt),
            expiresAt: APITime(session.expiresAt),
            endedAt: held.ended.map { APITime($0.at) }, endReason: held.ended?.reason.rawValue)
    }
}

extension ExportedConsent {
    fileprivate init(_ consent: Consent) {
        self.init(
            id: consent.id.rawValue, purpose: consent.purpose.rawValue, textVersion: consent.textVersion,
            givenAt: APITime(consent.givenAt), withdrawnAt: consent.withdrawnAt.map { APITime($0) },
            session: consent.sessionID.rawValue, clientID: consent.clientID.rawValue,
            address: consent.caller.address, device: consent.caller.device?.rawValue)
    }
}

extension ExportedActivity {
    fileprivate init(_ entry: AuditEntry) {
        self.init(
            event: entry.event.rawValue, at: APITime(entry.at), actor: entry.actor.kind.rawValue,
            session: entry.actor.session?.rawValue, subject: entry.subject, detail: entry.detail,
            address: entry.actor.caller.address, device: entry.actor.caller.device?.rawValue)
    }
}
