import AccountDatabase
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

@testable import AccountService

/// An Apple that notes who is asked about and when, and whose answer is of no use, so that nothing else is asked.
final class NotedApple: AppleTransport {
    struct Question {
        var token: String
        var at: Date
    }

    private struct State {
        var questions: [Question] = []
        var underWay = 0
        var mostAtOnce = 0
    }

    private let clock: TestClock
    private let state = Lock(State())

    init(clock: TestClock) {
        self.clock = clock
    }

    var questions: [Question] { state.withLock { $0.questions } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    /// When each token was asked about.
    var byToken: [String: [Date]] {
        Dictionary(grouping: questions, by: \.token).mapValues { $0.map(\.at) }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        let form = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems
        let token = try #require(form?.first { $0.name == "refresh_token" }?.value)
        state.withLock { state in
            state.questions.append(Question(token: token, at: clock.now))
            state.underWay += 1
            state.mostAtOnce = max(state.mostAtOnce, state.underWay)
        }
        // Other checks that may run now have the time to.
        for _ in 0..<50 { await Task.yield() }
        state.withLock { $0.underWay -= 1 }
        let body = #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"id_token":"x"}"#
        return AppleResponse(status: 200, headerFields: [.contentType: "application/json"], body: Array(body.utf8))
    }
}

extension OutboxSystem {
    /// Signs so many people in whose tokens are held.
    /// - Parameters:
    ///   - span: between one sign-in and the next.
    ///   - seal: nil for the seal of this system.
    func hold(_ count: Int, each span: Duration = .zero, with seal: Seal? = nil) async throws {
        for number in 0..<count {
            let moment = now
            let random = clock.appleIDEnvironment.randomBytes
            let token = try AppleToken(
                sealing: RefreshToken("token \(number)"), client: Self.juice, with: seal ?? outbox.tokenSeal,
                at: moment, randomness: random(10))
            _ = try await store.signIn(
                SignInRecord(
                    at: moment, used: [],
                    person: SignInRecord.Person(
                        team: "JUICETEAM1", subject: Subject("001.person.\(number)"), email: nil, emailVerified: false,
                        isPrivateEmail: false, realUserStatus: nil),
                    newAccountID: AccountID(at: moment, randomness: random(10)),
                    newIdentityID: IdentityID(at: moment, randomness: random(10)),
                    name: nil, openPendingProfile: { _ in nil }, appleToken: token,
                    session: SignInRecord.NewSession(
                        id: SessionID(at: moment, randomness: random(10)), kind: .tokens, clientID: Self.juice,
                        secretHash: TokenHash(of: "secret \(number)"), authenticatedAt: moment,
                        expiresAt: moment + .days(30)),
                    formerSession: nil))
            clock.advance(by: span)
        }
    }
}
