import AccountService
import Hummingbird

// This file reads what people type into forms, and the path to which a form leads.

extension String {
    /// The text as a field shows it again after a mistake: no longer than the field takes, which is 254 characters.
    var shownAgain: String { String(prefix(254)) }

    /// The text without the space around it.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension FormFields {
    /// The address that the person typed, without the space around it.
    var typedEmail: String { (self["email"] ?? "").trimmed }

    /// The page to show afterwards; nil if the form names none.
    var returnPath: ReturnPath? {
        get throws {
            guard let text = self["return"] else { return nil }
            guard let path = ReturnPath(rawValue: text) else {
                throw HTTPFailure.invalidRequest("return", "is not a path of this site")
            }
            return path
        }
    }
}

extension Request {
    /// The page to show after a sign-in. The query names it in `return`. Without that, it is the page of the account.
    var returnPath: ReturnPath {
        get throws {
            try FormFields(queryOf: self, for: "return").returnPath ?? .account
        }
    }
}
