import AuthenticationServices
import AuthenticationServicesTesting

/// The guide's first view: the button with nothing in its closures yet.
@MainActor
struct PlainSignInView {
    enum Event: Sendable, Equatable {
        case setUp
        case succeeded
        case failed
    }

    let happenings = Happenings<Event>()

    // MARK: Sign in with Apple button for Swift UI

    var body: VStack {
        VStack {
            SignInWithAppleButton(
                .signIn,  //1
                onRequest: { (request) in  //2
                    //Set up request
                    happenings.note(.setUp)
                },
                onCompletion: { (result) in  //3
                    switch result {
                    case .success(_):
                        //Handle autorization
                        happenings.note(.succeeded)
                        break
                    case .failure(_):
                        //Handle error
                        happenings.note(.failed)
                        break
                    }
                })
        }.signInWithAppleButtonStyle(.black)  //4
    }
}
