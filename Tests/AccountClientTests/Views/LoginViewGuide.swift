#if canImport(SwiftUI)
    import AccountClient
    import SwiftUI

    /// The view of Docs/apple-platforms.md, letter by letter. `make apple-sdk` type-checks it on Linux.
    enum LoginViewGuide {
        // guide
        struct LoginView: View {
            let client: AccountClient
            @State private var message: String?

            var body: some View {
                VStack {
                    AccountSignInButton(client: client) { result in
                        if case .failure(let error) = result { message = error.reason }
                    }
                    .frame(height: 44)
                    if let message { Text(message) }
                }
            }
        }
        // end
    }
#endif
