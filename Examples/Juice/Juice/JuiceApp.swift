import JuiceScreens
import SwiftUI

/// The sample app of Apple's documentation, in SwiftUI.
@main
struct JuiceApp: App {
    @State private var juice = JuiceViewModel.fromBundle()

    var body: some Scene {
        WindowGroup {
            switch juice {
            case .success(let juice): RootView(juice: juice)
            case .failure(let error): Text(error.description).padding()
            }
        }
    }
}
