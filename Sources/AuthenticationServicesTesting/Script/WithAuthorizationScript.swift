import OpenAuthenticationServices

/// Runs the operation with this script for every controller and provider that is used in its task and child tasks.
/// Tests beside each other have each their own.
public func withAuthorizationScript<Result>(
    _ script: AuthorizationScript, operation: () async throws -> Result
) async rethrows -> Result {
    try await CurrentPerformer.$scoped.withValue(ScriptedPerformer(script: script), operation: operation)
}

/// The same for an operation that waits for nothing.
public func withAuthorizationScript<Result>(
    _ script: AuthorizationScript, operation: () throws -> Result
) rethrows -> Result {
    try CurrentPerformer.$scoped.withValue(ScriptedPerformer(script: script), operation: operation)
}
