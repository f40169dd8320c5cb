import Foundation

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// A thousand sessions and a thousand entries of the audit stay far below.
    private static let largestExport = 8 * 1024 * 1024

    func exportAccount() async throws -> Data {
        try await call(doing: "exporting the account") { token throws(ServiceError) in
            try await self.connection.data(
                "/v1/account/export", accessToken: token, largestAnswer: Self.largestExport)
        }
    }
}
