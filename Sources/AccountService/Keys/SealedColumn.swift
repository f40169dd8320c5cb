/// A column of a store in which sealed values stand.
public enum SealedColumn: String, CaseIterable, Hashable, Sendable {
    case serverKeys = "server_keys"
    case appleTokens = "apple_tokens"
    case keptNames = "kept_names"
    case authorizationStates = "authorization_states"
    case authorizationResults = "authorization_results"
    case authorizationTokens = "authorization_tokens"
    case outboxRevocations = "outbox_revocations"
    case outboxCodes = "outbox_codes"
}
