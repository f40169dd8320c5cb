import AccountClient
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
            return
        } catch {
            print(error.reason)
            return
        }
        print(try await note(with: client))
    }

    static func account(with client: AccountClient) async throws(AccountClientError) -> Account {
        if let account = try await client.existingAccount() { return account }
        return try await client.signIn()
    }

    static func note(with client: AccountClient) async throws -> String {
        guard let url = URL(string: "http://localhost:8080/note") else { return "" }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(try await client.accessToken())", forHTTPHeaderField: "Authorization")
        let (data, _) = try await URLSession.shared.data(for: request)
        return String(decoding: data, as: UTF8.self)
    }
}
