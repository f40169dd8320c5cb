import AppleID
import AppleIDTypes

extension Outbox {
    /// Revokes at Apple. That Apple knows the token for dead is as good: there is nothing left to end.
    func revoke(_ entry: OutboxEntry) async -> OutboxOutcome {
        guard let client = entry.clientID, let sealed = entry.sealed else {
            return .parked(failure: "incomplete")
        }
        do {
            let token = try tokenSeal.open(sealed, row: entry.id.rawValue, client: client.rawValue)
            try await apple.revoke(RefreshToken(String(decoding: token, as: UTF8.self)), client: client)
            return .done
        } catch let error as AppleIDError where error.kind == .grantIsDead {
            return .done
        } catch let error as AppleIDError where error.kind != .configuration {
            guard now - entry.waitingSince < Self.patience else {
                return .parked(failure: error.code.description)
            }
            return .again(at: rest(entry, .revocation), failure: error.code.description)
        } catch let error as AppleIDError {
            return .parked(failure: error.code.description)
        } catch {
            // The key ring lacks the key: it can be mended.
            return .parked(failure: AccountError.Code.configuration.description)
        }
    }
}
