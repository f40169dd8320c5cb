import Hummingbird

extension AuthorizationController {
    /// The way back to the client, in the mode it asked for.
    func deliver(_ answer: AuthorizationAnswer) -> Response {
        guard case .redirect(let address, let mode) = answer.destination else {
            // A device never sees these pages: only the control call makes such requests, and answers them itself.
            return .json(answer.fields.map { ($0.name, .string($0.value)) })
        }
        switch mode {
        case .query:
            return .seeOther(address.text + (address.hasQuery ? "&" : "?") + answer.encoded)
        case .fragment:
            return .seeOther(address.text + "#" + answer.encoded)
        case .formPost:
            return .page(pages.delivery(answer, to: address))
        case .webMessage:
            return .page(pages.message(answer, to: authority.messageOrigins(answer, address)))
        }
    }
}
