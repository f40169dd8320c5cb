import AccountAPI
package import AccountService
import AppleID
import Foundation
package import Logging

/// The document of `GET /v1/account/export`, for an operator who was asked for it.
package struct ExportDocument: Sendable {
    private let exports: Exports

    package init(store: any AccountStore, keyRing: KeyRing, logger: Logger) {
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
