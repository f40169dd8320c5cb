import AccountService
import Hummingbird

extension LinkSecret {
    /// Reads the secret of a link that a client sent.
    /// - Throws: ``AccountError/Code/linkUnknown`` for a text that no link has.
    init(received text: String) throws(AccountError) {
        guard let secret = Self(rawValue: text) else {
            throw AccountError(.linkUnknown, "this link is not complete")
        }
        self = secret
    }

    /// Reads the secret that ends the path of a page, which its route calls `token`.
    /// - Throws: ``AccountError/Code/linkUnknown`` for a text that no link has.
    init(pathOf context: some RequestContext) throws(AccountError) {
        try self.init(received: context.parameters.get("token") ?? "")
    }
}
