import AccountService
import HTTPTypes
import Hummingbird

extension Response {
    /// Sends a browser to Apple, with the cookie that it must bring back.
    init(to beginning: SignInBeginning) {
        self.init(seeOther: beginning.location, cookie: beginning.cookie)
    }
}
