import AccountConnection
public import Foundation

extension AccountClient {
    /// Fetches everything that the account service holds about the person, as a JSON document to be handed to them as
    /// a file: name, addresses, sessions, and what was done when and from where.
    ///
    /// Throws as ``accessToken()`` does.
    public func exportAccount() async throws(AccountClientError) -> Data {
        try await calls.call(doing: "exporting the account") { token throws(ServiceError) in
            try await calls.connection.data(
                "/v1/account/export", accessToken: token, maximumAnswerBytes: Self.maximumExportBytes)
        }
    }

    /// The largest size in bytes. A thousand sessions and a thousand entries of the audit log stay far below.
    private static var maximumExportBytes: Int { 8 * 1024 * 1024 }
}
