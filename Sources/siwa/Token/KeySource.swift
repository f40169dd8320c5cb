import AppleID
import Foundation

/// Where `siwa token verify` finds public keys: a file, a URL, or Apple.
struct KeySource {
    /// A key set as it was found.
    struct Answer {
        let place: String
        let body: [UInt8]
        /// None for a file.
        var headers: [(name: String, value: String)] = []
    }

    private let place: String

    init(_ place: String?) {
        self.place = place ?? AppleServer.apple.keysURL
    }

    func load() async throws -> KeyCache {
        do {
            return try KeyCache(fixed: try await fetch().body)
        } catch let error as AppleIDError {
            throw Failure("\(place) holds no usable key set: \(error.reason)", hint: Self.hint)
        }
    }

    static let hint =
        "--keys takes a file or URL with {\"keys\": […]}, as \(AppleServer.apple.keysURL) answers it"

    func fetch() async throws -> Answer {
        guard place.hasPrefix("https://") || place.hasPrefix("http://") else {
            guard let content = FileManager.default.contents(atPath: place) else {
                throw Failure("the file \(place) cannot be read", hint: Self.hint)
            }
            return Answer(place: place, body: Array(content))
        }
        let transport = AsyncHTTPTransport()
        let answer: Result<AppleResponse, any Error>
        do {
            answer = .success(try await transport.send(AppleRequest.get(place)))
        } catch {
            answer = .failure(error)
        }
        try await transport.shutdown()
        switch answer {
        case .success(let response) where response.status == 200:
            return Answer(place: place, body: response.body, headers: response.headers)
        case .success(let response):
            throw Failure("keys_unavailable: \(place) answers with status \(response.status)", hint: Self.hint)
        case .failure:
            throw Failure("keys_unavailable: \(place) cannot be reached", hint: Self.hint)
        }
    }
}
