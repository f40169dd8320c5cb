public import Foundation

/// A code for a person who signs in with a browser on any device.
public struct DeviceCode: Hashable, Sendable {
    /// Eight letters with a hyphen in the middle, to be typed by the person: a link that carried it could be sent to
    /// somebody else.
    public var userCode: String
    /// The page on which the person types the code.
    public var verificationURL: URL
    /// The time from which on the code is refused.
    public var expiresAt: Date

    /// Makes a code, for tests of an app's own way to show it.
    public init(userCode: String, verificationURL: URL, expiresAt: Date) {
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.expiresAt = expiresAt
    }
}

extension DeviceCode {
    /// Makes a code from an answer of the account service. It checks the values, because a terminal obeys control characters,
    /// and the person opens the page.
    /// - Returns: nil for a code of other characters than letters, digits and hyphens, and for an address that is no
    ///   web page.
    init?(showing userCode: String, at page: String, until expiresAt: Date) {
        guard (1...32).contains(userCode.utf8.count),
            userCode.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-")
            }),
            let page = URL(string: page), ["http", "https"].contains(page.scheme?.lowercased() ?? ""),
            let host = page.host(), !host.isEmpty
        else { return nil }
        self.init(userCode: userCode, verificationURL: page, expiresAt: expiresAt)
    }

    /// Writes the code, for a person at a terminal.
    func print(to handle: FileHandle = .standardError) {
        // If standard error is closed, `write(_:)` would end the program.
        try? handle.write(contentsOf: Data(text.utf8))
    }

    var text: String {
        """

        To sign in, open this page in a browser on any device:

            \(verificationURL.absoluteString)

        and type this code:

            \(userCode)


        """
    }
}
