import AccountService
import TaskSignals

/// The kinds of request that have a limit of their own. A network that has used up one kind can still make the others.
enum BudgetKind: Hashable, Sendable {
    /// Sign-ins by apps. The service checks signatures and writes rows.
    case signIn
    /// Sign-ins that browsers begin. The service writes a row for each.
    case beginning
    /// Forms that Apple has browsers post.
    case callback
    /// Sign-ins by password or by a link, and everything else that may cost the hash of a password.
    case password
    /// Requests for mails with a link. The service writes rows, and may hash and send a mail.
    case mailedLink
    case challenge
    /// The pages of apps' authorizations and of waiting devices, and the calls that begin and end them.
    case authorization
    /// Handles and device codes that are redeemed: a device asks every few seconds.
    case redemption
    /// Rejected refresh tokens. Accepted ones don't count.
    case refusedRefresh
    /// Invalid access tokens, and invalid refresh tokens in their place. Valid ones don't count. A token that this server
    /// knows already is taken whatever others behind the same address have sent.
    case refusedToken
    /// Invalid session cookies. Valid ones don't count. A cookie that this server knows already is taken whatever others
    /// behind the same address have sent.
    case refusedCookie
    /// Unknown handles of deletions.
    case refusedHandle
    /// Unknown tokens of links from mails.
    case refusedLink
    /// Invalid notifications. Apple's own don't count.
    case refusedNotification
}

/// How many requests each network may still make: a bucket for each network and kind, which fills by the minute.
///
/// It is kept in memory, by each server for itself, and bounded: the networks that were not heard of for longest are
/// forgotten, and begin with a full bucket. The limits that must hold across servers (wrong codes, open authorizations)
/// are counted in the store.
final class AddressBudgets: Sendable {
    private struct Key: Hashable {
        let kind: BudgetKind
        let network: CountedNetwork
    }

    private struct Bucket {
        var tokens: Double
        var filledAt: Timestamp
    }

    /// How many buckets are kept at least; twice as many at most, under 20 MB.
    private static let capacity = 65_536

    /// Nil for no limit.
    private let perMinute: Int?
    private let now: @Sendable () -> Timestamp
    private let buckets = Lock(RecentlyWritten<Key, Bucket>(capacity: AddressBudgets.capacity))

    /// - Parameter perMinute: nil, like 0 and less, for no limit.
    init(perMinute: Int?, now: @escaping @Sendable () -> Timestamp) {
        self.perMinute = perMinute.flatMap { $0 > 0 ? $0 : nil }
        self.now = now
    }

    /// Takes one request off what a network may make.
    /// - Returns: how long to wait when nothing is left; then nothing is taken.
    func take(_ kind: BudgetKind, from network: CountedNetwork) -> Duration? {
        look(kind, from: network, taking: 1)
    }

    /// How long a network has to wait when nothing is left, taking nothing.
    func wait(_ kind: BudgetKind, from network: CountedNetwork) -> Duration? {
        look(kind, from: network, taking: 0)
    }

    private func look(_ kind: BudgetKind, from network: CountedNetwork, taking count: Double) -> Duration? {
        guard let perMinute else { return nil }
        let (limit, moment) = (Double(perMinute), now())
        let key = Key(kind: kind, network: network)
        return buckets.withLock { buckets in
            var bucket = buckets[key] ?? Bucket(tokens: limit, filledAt: moment)
            // A clock that is set back fills nothing, and takes nothing away.
            let minutes = max(0, (moment - bucket.filledAt) / .seconds(60))
            bucket.tokens = min(limit, bucket.tokens + minutes * limit)
            bucket.filledAt = moment
            let isLeft = bucket.tokens >= 1
            if isLeft { bucket.tokens -= count }
            buckets[key] = bucket
            return isLeft ? nil : .seconds((1 - bucket.tokens) * 60 / limit)
        }
    }
}
