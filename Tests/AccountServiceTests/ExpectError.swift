import AccountService
import Testing

/// Expects an `AccountError` with this code.
/// - Returns: the error, when it came.
@discardableResult
func expectError(
    _ code: AccountError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Void
) async -> AccountError? {
    let error = await #expect(throws: AccountError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}
