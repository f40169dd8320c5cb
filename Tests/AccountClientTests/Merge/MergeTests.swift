import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("Two accounts that become one", .timeLimit(.minutes(2)))
struct MergeTests {
    private let device = TestDevice()
    private static let preview = "POST /v1/account/merge/preview"
    private static let merge = "POST /v1/account/merge"

    /// A person who signs in by password, and the handle of the other account of theirs.
    private func begin() async throws -> (AccountClient, SignInHandle) {
        let client = try await device.clientBeforeLink()
        device.service.on("POST /v1/link/apple") { _ in try .conflict(handle: "the handle") }
        let error = await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            await failure { try await client.link() }
        }
        device.service.on(Self.preview) { _ in try .json(200, Self.plan("plan 1")) }
        device.service.on(Self.merge) { [service = device.service] _ in
            service.account.waysIn = WaysInBody(apple: true, email: TestDevice.email, hasPassword: true)
            return try .json(
                200, MergeAnswer(from: "acc_2", account: service.account, mergedAt: TestService.account.createdAt))
        }
        return (client, try #require(error?.signInHandle))
    }

    private static func plan(_ plan: String) -> MergePreviewAnswer {
        MergePreviewAnswer(
            from: "acc_2", into: "acc_1",
            moves: MergeMoves(links: [.apple()], profile: ["phone"], consents: 1),
            losses: MergeLosses(links: [], profile: ["name"], sessions: 2),
            consent: RequiredConsent(purposes: [.linkedIdentity], textVersion: "2"), plan: plan,
            expiresAt: APITime(secondsSince1970: 1_700_000_300))
    }

    @Test("The person sees what moves and what is lost, and the account has both ways in then")
    func merges() async throws {
        let (client, handle) = try await begin()
        let shown = Shown()
        let account = try await client.mergeAccounts(with: handle) { plan in
            await shown.add(plan)
            return true
        }
        #expect(account.id == "acc_1" && account.waysIn?.apple == true)
        let plan = try #require(await shown.plans.first)
        #expect(plan.from == "acc_2" && plan.into == "acc_1" && plan.lostSessions == 2)
        #expect(plan.movedIdentities.map(\.provider) == [.apple] && plan.movedProfile == [.phone])
        #expect(plan.lostIdentities == [] && plan.lostProfile == [.name])
        #expect(plan.movedConsents == 1 && plan.consentPurposes == [.linkedIdentity])
        #expect(plan.expiresAt == Date(timeIntervalSince1970: 1_700_000_300))
        #expect(device.service.requests(Self.preview).first?.json["handle"] as? String == "the handle")
        let call = try #require(device.service.requests(Self.merge).first)
        #expect(call.json["handle"] as? String == "the handle" && call.json["plan"] as? String == "plan 1")
    }

    @Test("A person who declines keeps both accounts")
    func declined() async throws {
        let (client, handle) = try await begin()
        let error = await failure { try await client.mergeAccounts(with: handle) { _ in false } }
        #expect(error?.code == .cancelled)
        #expect(device.service.requests(Self.merge).isEmpty)
    }

    @Test("If the accounts have changed, the person is asked again, three times at most")
    func changed() async throws {
        let (client, handle) = try await begin()
        let shown = Shown()
        device.service.on(Self.merge, .refusal(409, .mergeChanged))
        let error = await failure {
            try await client.mergeAccounts(with: handle) { plan in
                await shown.add(plan)
                return true
            }
        }
        #expect(error?.code == .refused(.mergeChanged) && error?.hint != nil)
        #expect(await shown.plans.count == 3)
    }

    @Test("A lost answer is asked for again")
    func lost() async throws {
        let (client, handle) = try await begin()
        let answers = Lock(0)
        let service = device.service
        service.on(Self.merge) { _ in
            let isFirst = answers.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw URLError(.networkConnectionLost) }
            return try .json(
                200, MergeAnswer(from: "acc_2", account: service.account, mergedAt: TestService.account.createdAt))
        }
        _ = try await client.mergeAccounts(with: handle) { _ in true }
        #expect(service.requests(Self.merge).count == 2)
    }

    // MARK: The merged account

    /// The answer to every session of the merged account.
    private static func gone() throws -> ServiceAnswer {
        try .json(
            410,
            ErrorEnvelope(
                ErrorEnvelope.Body(
                    code: .accountMerged, message: "no", requestID: "r",
                    details: .accountMerged(MergedAccountBody(into: "acc_3")))))
    }

    @Test("A session of the merged account ends, and every call says where its account is, also after a restart")
    func former() async throws {
        let client = try await device.clientByPassword()
        var states = client.session.makeAsyncIterator()
        #expect(await states.next()?.account != nil)
        for call in ["GET /v1/links", "POST /v1/session/refresh"] {
            device.service.on(call) { _ in try Self.gone() }
        }
        let error = await failure { try await client.links() }
        #expect(error?.code == .sessionEnded && error?.mergedInto == "acc_3")
        #expect(await states.next() == .signedOut(.accountMerged(into: "acc_3")))
        let again = await failure { try await client.reloadAccount() }
        #expect(again?.code == .sessionEnded && again?.mergedInto == "acc_3")

        let restarted = try device.client()
        let later = await failure { try await restarted.links() }
        #expect(later?.code == .sessionEnded && later?.mergedInto == "acc_3")
        var statesOfRestarted = restarted.session.makeAsyncIterator()
        #expect(await statesOfRestarted.next() == .signedOut(.accountMerged(into: "acc_3")))

        try await restarted.signIn(email: TestDevice.email, password: TestDevice.password)
        #expect(try device.storage.secret(TestDevice.name)?.contains("acc_3") == false)
        try await restarted.signOut()
        let last = await failure { try await restarted.links() }
        #expect(last?.code == .notSignedIn && last?.mergedInto == nil)
    }

    @Test("If somebody who follows the events hears of it first, the next call says where the account is")
    func followed() async throws {
        let client = try await device.clientByPassword()
        device.service.streams { _ in
            let answer = try Self.gone()
            let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            continuation.yield(answer.body)
            continuation.finish()
            return ServiceStream(status: answer.status, headers: answer.headers, body: body)
        }
        device.service.on("POST /v1/session/refresh") { _ in try Self.gone() }
        var told = 0
        for try await _ in client.events() { told += 1 }
        #expect(told == 0)
        #expect(await client.account == nil)
        let error = await failure { try await client.links() }
        #expect(error?.code == .sessionEnded && error?.mergedInto == "acc_3")
        #expect(device.service.requests("GET /v1/apple/credential-state").isEmpty, "there is nothing to ask")
    }
}

/// The plans that a person has seen.
private actor Shown {
    private(set) var plans: [AccountMergePlan] = []

    func add(_ plan: AccountMergePlan) { plans.append(plan) }
}
