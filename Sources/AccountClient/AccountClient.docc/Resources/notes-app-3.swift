import AccountClient
import Foundation

@main
struct NotesApp {
    static func main() async throws {
        guard let url = URL(string: "http://localhost:4000") else { return }
        let client = AccountClient(backend: url, app: "juice")

        do throws(AccountClientError) {
            let account = try await account(with: client)
            print("Hello, \(account.formattedName ?? "you")")
        } catch let error where error.code == .cancelled {
            print("Until next time.")
        } catch {
            print(error.reason)
        }
    }

    static func account(with client: AccountClient) async throws(AccountClientError) -> Account {
        if let account = try await client.existingAccount() { return account }
        return try await client.signIn()
    }
}
