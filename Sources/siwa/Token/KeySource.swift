import AppleID
import Foundation

/// Where `siwa token verify` finds public keys: a file, a URL, or Apple.
struct KeySource {
    private let place: String

    init(_ place: String?) {
        self.place = place ?? AppleServer.apple.keysURL
    }

    func load() async throws -> KeyCache {
        do {
            return try KeyCache(fixed: try await read())
        } catch let error as AppleIDError {
            throw Failure("\(place) holds no usable key set: \(error.reason)", hint: Self.hint)
        }
    }

    private static let hint =
        "--keys takes a file or URL with {\"keys\": […]}, as \(AppleServer.apple.keysURL) answers it"

    private func read() async throws -> [UInt8] {
        guard place.hasPrefix("https://") || place.hasPrefix("http://") else {
            guard let content = FileManager.default.contents(atPath: place) else {
                throw Failure("the file \(place) cannot be read", hint: Self.hint)
            }
            return Array(content)
        }
        let transport = AsyncHTTPTransport()
        let answer: Result<AppleResponse, any Error>
        do {
            answer = .success(try await transport.send(AppleRequest(method: "GET", url: place)))
        } catch {
            answer = .failure(error)
        }
        try await transport.shutdown()
        switch answer {
        case .success(let response) where response.status == 200:
            return response.body
        case .success(let response):
            throw Failure("keys_unavailable: \(place) answers with status \(response.status)", hint: Self.hint)
        case .failure:
            throw Failure("keys_unavailable: \(place) cannot be reached", hint: Self.hint)
        }
    }
}
