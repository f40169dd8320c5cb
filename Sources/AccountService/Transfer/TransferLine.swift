package import AppleIDTypes
import StrictJSON

/// A line of the file that the sending service hands over: one person, by the account's id and Apple's transfer
/// subject.
///
/// It holds neither the person's `sub` nor an address. Apple wants it so, and neither would lead the recipient to
/// anybody.
package struct TransferLine: Hashable, Sendable, Redacted {
    /// The longest line that is read.
    package static let maximumLength = 2_048

    /// The team that sends the app.
    package var from: TeamID
    /// The team that receives the app.
    package var to: TeamID
    package var account: AccountID
    /// The identity at the sending service. It tells several identities of one account apart where the receiving
    /// service has a copy of the database.
    package var identity: IdentityID?
    package var transferSubject: Subject

    package init(
        from: TeamID, to: TeamID, account: AccountID, identity: IdentityID? = nil, transferSubject: Subject
    ) {
        self.from = from
        self.to = to
        self.account = account
        self.identity = identity
        self.transferSubject = transferSubject
    }

    /// Makes the line of a person with a transfer subject; nil for a person without.
    package init?(_ transfer: PersonTransfer) {
        guard let subject = transfer.transferSubject else { return nil }
        self.init(
            from: transfer.source, to: transfer.target, account: transfer.account, identity: transfer.identity,
            transferSubject: subject)
    }

    /// Reads a line.
    /// - Throws: ``AccountError/Code/requestInvalid`` with what is wrong, and nothing of the line.
    package init(parsing line: some Sequence<UInt8>) throws(AccountError) {
        let bytes = Array(line)
        guard bytes.count <= Self.maximumLength else { throw Self.refused("is too long") }
        let root: JSONValue
        do {
            root = try JSONDocument(bytes).root
        } catch {
            throw Self.refused("is no JSON object")
        }
        func text(_ name: String) throws(AccountError) -> String {
            guard let text = root[name]?.string, (1...255).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw Self.refused("lacks \(name)")
            }
            return text
        }
        guard let account = AccountID(received: try text("account")) else {
            throw Self.refused("has no account id (acc_…)")
        }
        self.account = account
        if root["identity"] != nil {
            guard let identity = IdentityID(received: try text("identity")) else {
                throw Self.refused("has an invalid identity id (idn_…)")
            }
            self.identity = identity
        }
        from = TeamID(try text("from"))
        to = TeamID(try text("to"))
        transferSubject = Subject(try text("transfer_sub"))
    }

    private static func refused(_ problem: String) -> AccountError {
        AccountError(.requestInvalid, "a line of the file \(problem)", field: nil)
    }

    /// The line, without its end.
    package var text: String {
        // The order of the members is that of a person who reads: what, then from where to where.
        let members: [(String, String)] =
            [("account", account.rawValue)] + (identity.map { [("identity", $0.rawValue)] } ?? [])
            + [("transfer_sub", transferSubject.rawValue), ("from", from.rawValue), ("to", to.rawValue)]
        return "{" + members.map { "\(Self.quoted($0.0)):\(Self.quoted($0.1))" }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
