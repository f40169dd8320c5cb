import AccountClient
import Foundation

@main
struct NotesApp {
    static func main() async throws {
        guard let url = URL(string: "http://localhost:4000") else { return }
        let client = AccountClient(backend: url, app: "juice")

        if let account = try await client.existingAccount() {
            print("Hello again, \(account.formattedName ?? "you")")
        } else {
            let account = try await client.signIn()
            print("Welcome, \(account.formattedName ?? "you")")
        }
    }
}
