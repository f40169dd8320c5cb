import AccountAPI
import AccountService

extension SessionBody {
    init(_ tokens: SessionTokens) {
        self.init(
            accessToken: tokens.accessToken, expiresIn: Int(tokens.expiresIn.components.seconds),
            refreshToken: tokens.refreshToken)
    }
}
