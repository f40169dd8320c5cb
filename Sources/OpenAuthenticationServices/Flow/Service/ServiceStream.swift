public import Foundation

/// The beginning of an answer whose body is still coming in.
public struct ServiceStream: Sendable {
    public var status: Int
    /// Names as they came; compare them without regard to case.
    public var headers: [String: String]
    /// Ends with the answer, and throws when it breaks off. Whoever lets go of it ends the request.
    public var body: AsyncThrowingStream<Data, any Error>

    public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The whole answer, for a refusal. What breaks off, or is too long, is what has come so far.
    func answer(upTo limit: Int) async -> ServiceAnswer {
        var answer = ServiceAnswer(status: status, headers: headers)
        do {
            for try await piece in body {
                guard answer.body.count + piece.count <= limit else { break }
                answer.body.append(piece)
            }
        } catch {
            // The status says enough.
        }
        return answer
    }
}

extension ServiceStream: CustomStringConvertible {
    public var description: String { "\(status), a stream" }
}
