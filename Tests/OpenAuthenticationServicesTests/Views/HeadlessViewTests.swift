import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Views without a screen", .timeLimit(.minutes(2)))
struct HeadlessViewTests {
    @Test("Apple's button has its type's title, and runs its actions in order")
    func button() {
        let button = ASAuthorizationAppleIDButton(type: .continue, style: .whiteOutline)
        button.cornerRadius = 12
        #expect(button.title == "Continue with Apple")
        #expect(button.style == .whiteOutline)
        #expect(button.cornerRadius == 12)
        button.press()
        var pressed: [Int] = []
        button.addAction { pressed.append(1) }
        button.addAction { pressed.append(2) }
        button.press()
        #expect(pressed == [1, 2])
        let same = ASAuthorizationAppleIDButton(authorizationButtonType: .signUp, authorizationButtonStyle: .white)
        #expect(same.title == "Sign up with Apple")
        #expect(same.style == .white)
        let usual = ASAuthorizationAppleIDButton()
        #expect(usual.title == "Sign in with Apple")
        #expect(usual.style == .black)
    }

    @Test("a view keeps its buttons and its window")
    func view() {
        let view = HeadlessView()
        let (first, second) = (ASAuthorizationAppleIDButton(), ASAuthorizationAppleIDButton())
        view.addSubview(first)
        view.addArrangedSubview(second)
        #expect(view.buttons.map { ObjectIdentifier($0) } == [ObjectIdentifier(first), ObjectIdentifier(second)])
        #expect(view.window === view.window)
        #expect(view.window != nil)
    }

    #if !canImport(SwiftUI)
        /// A view with its model, as an app has it for SwiftUI.
        private final class SignInModel {
            private(set) var nonceCount = 0
            private(set) var outcomes: [String] = []
            var allowsNewAccounts = true

            var body: VStack {
                VStack {
                    SignInWithAppleButton(.continue, onRequest: fill, onCompletion: finish)
                        .signInWithAppleButtonStyle(.white)
                    if allowsNewAccounts {
                        SignInWithAppleButton(.signUp, onRequest: fill, onCompletion: finish)
                    }
                    if outcomes.isEmpty {
                        SignInWithAppleButton(onRequest: fill, onCompletion: finish)
                    } else {
                        SignInWithAppleButton(.continue, onRequest: fill, onCompletion: finish)
                    }
                }
                .signInWithAppleButtonStyle(.black)
            }

            func fill(_ request: ASAuthorizationAppleIDRequest) {
                nonceCount += 1
                request.nonce = "nonce \(nonceCount)"
            }

            func finish(_ result: Result<ASAuthorization, any Error>) {
                switch result {
                case .success(let authorization):
                    outcomes.append((authorization.credential as? ASAuthorizationAppleIDCredential)?.user ?? "")
                case .failure(let error):
                    outcomes.append("\((error as? ASAuthorizationError)?.errorCode ?? 0)")
                }
            }
        }

        @Test("a press configures the request, performs it, and passes on the result, each time")
        func swiftUIButton() async throws {
            let model = SignInModel()
            let script = AuthorizationScript(.cancel, .success(ada))
            let button = try #require(model.body.buttons.first)
            await withAuthorizationScript(script) {
                button.press()
                #expect(model.outcomes.isEmpty)
                await script.allAnswered()
                button.press()
                await script.allAnswered()
            }
            #expect(model.outcomes == ["1001", "001999.ada"])
            #expect(script.requests.map(\.nonce) == ["nonce 1", "nonce 2"])
        }

        @Test("a press of the guide's button configures the request, and passes on the result")
        func guide() async {
            let model = SignInModel()
            // guide
            let button = SignInWithAppleButton(.continue, onRequest: model.fill, onCompletion: model.finish)
            let script = AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "001999.f2a7")))
            await withAuthorizationScript(script) {
                button.press()  // calls onRequest, and performs the request
                await script.allAnswered()  // onCompletion has been called
            }
            // end
            #expect(model.nonceCount == 1)
            #expect(model.outcomes == ["001999.f2a7"])
        }

        @Test("a stack has the buttons that its conditions include, and gives its style to those without one")
        func stack() {
            let model = SignInModel()
            #expect(
                model.body.buttons.map(\.title) == ["Continue with Apple", "Sign up with Apple", "Sign in with Apple"])
            #expect(model.body.buttons.map(\.style) == [.white, .black, .black])
            model.allowsNewAccounts = false
            #expect(model.body.buttons.map(\.title) == ["Continue with Apple", "Sign in with Apple"])
            let plain = VStack { SignInWithAppleButton(onRequest: { _ in }, onCompletion: { _ in }) }
            #expect(plain.buttons.map(\.style) == [nil])
        }
    #endif
}
