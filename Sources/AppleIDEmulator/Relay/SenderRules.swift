/// Whether a team may send a mail to its relay addresses: it must come from a registered, verified source by one of two
/// ways. SPF and DKIM are as declared; the emulator asks no name server and checks no signature.
struct SenderRules: Sendable {
    let sources: [Portal.EmailSource]

    func allow(_ mail: IncomingMail, _ header: MailHeader, author: MailAddress) -> Bool {
        passesSPF(mail.sender) || passesDKIM(header, author)
    }

    /// The envelope sender itself is registered, exactly, and SPF passes for it.
    private func passesSPF(_ sender: MailAddress?) -> Bool {
        guard let sender, let source = source(of: sender) else { return false }
        return (source.spf ?? .pass) == .pass
    }

    /// The author in `From` is registered, and there is a signature of that very domain which passes.
    private func passesDKIM(_ header: MailHeader, _ author: MailAddress) -> Bool {
        guard let source = source(of: author), (source.dkim ?? .pass) == .pass else { return false }
        return header["DKIM-Signature"].contains { Self.domain(ofSignature: $0) == author.domain }
    }

    private func source(of address: MailAddress) -> Portal.EmailSource? {
        sources.first { source in
            let name = source.source.lowercased()
            return source.verified == true && (name == address.domain || name == address.key)
        }
    }

    /// The tag `d` (RFC 6376 §3.5).
    private static func domain(ofSignature field: String) -> String? {
        for tag in field.split(separator: ";") {
            let parts = tag.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingSpaces == "d" else { continue }
            return parts[1].trimmingSpaces.lowercased()
        }
        return nil
    }
}
