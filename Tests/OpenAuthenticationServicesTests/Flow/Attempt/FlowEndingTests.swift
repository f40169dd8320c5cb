import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

@Suite("Ending a sign-in from outside", .timeLimit(.minutes(2)))
struct FlowEndingTests {
    /// A configuration whose browser opens and brings nobody back.
    private func waiting(
        _ wire: Wire, opened: OneShot<Void> = OneShot()
    ) -> AuthenticationServicesConfiguration {
        var configuration = wire.configuration(.browser)
        configuration.browser = BrowserPresenter { _ in opened.deliver(.success(())) }
        return configuration
    }

    private func expectClosed(_ wire: Wire) throws {
        let port = try #require(URL(string: wire.begun?.redirectURI ?? "")?.port)
        #expect(throws: RawConnection.Refused.self) { try RawConnection(port: UInt16(port)) }
    }

    private func error(of task: Task<AppleIDCredentialValues, any Error>) async -> ASAuthorizationError? {
        await #expect(throws: ASAuthorizationError.self) { try await task.value }
    }

    @Test("A cancellation by the app closes the listener and cancels at the service, with proof that it is its own")
    func cancelled() async throws {
        let wire = Wire()
        let opened = OneShot<Void>()
        let performer = AccountServicePerformer(configuration: waiting(wire, opened: opened))
        let task = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await opened.value()
        task.cancel()
        let error = await error(of: task)
        #expect(error?.code == .canceled)
        #expect(error?.reason == .cancelledByApp)
        let cancellation = try JSONDecoder().decode(
            CancelAuthorizationRequest.self,
            from: try #require(try await wire.first("/v1/authorizations/cancel").body))
        #expect(cancellation.id == Wire.id)
        #expect(cancellation.deviceCode == nil)
        #expect(cancellation.codeVerifier.utf8.count == 43)
        try expectClosed(wire)
    }

    @Test("A cancellation before the start ends the sign-in, and nothing is redeemed")
    func cancelledEarly() async throws {
        let wire = Wire()
        let performer = AccountServicePerformer(configuration: waiting(wire))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await performer.authorize(AppleIDRequestValues())
        }
        #expect(await error(of: task)?.reason == .cancelledByApp)
        #expect(!wire.paths.contains("/v1/authorizations/redeem"))
    }

    @Test("A cancellation of a device code ends the polling and cancels at the service")
    func cancelledDevice() async throws {
        let polled = OneShot<Void>()
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            polled.deliver(.success(()))
            return try await OneShot<ServiceAnswer>().value()
        }
        let performer = AccountServicePerformer(
            configuration: wire.configuration(.device), time: VirtualTime().flowTime)
        let task = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await polled.value()
        task.cancel()
        #expect(await error(of: task)?.reason == .cancelledByApp)
        let cancellation = try JSONDecoder().decode(
            CancelAuthorizationRequest.self,
            from: try #require(try await wire.first("/v1/authorizations/cancel").body))
        #expect(cancellation.deviceCode == "device-code")
        #expect(cancellation.id == nil)
    }

    @Test("A service that doesn't answer the cancellation doesn't delay the end")
    func deafService() async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/cancel" else { return try Wire.standard(call) }
            return try await OneShot<ServiceAnswer>().value()
        }
        let opened = OneShot<Void>()
        let time = VirtualTime()
        let performer = AccountServicePerformer(configuration: waiting(wire, opened: opened), time: time.flowTime)
        let task = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await opened.value()
        task.cancel()
        #expect(await error(of: task)?.reason == .cancelledByApp)
        #expect(time.pauses == [.seconds(2)])
    }

    @Test("The time limit closes the listener and cancels at the service")
    func timedOut() async throws {
        let wire = Wire()
        let opened = OneShot<Void>()
        let time = VirtualTime()
        let performer = AccountServicePerformer(configuration: waiting(wire, opened: opened), time: time.flowTime)
        let task = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await opened.value()
        try await time.sleeper()
        time.advance(by: .seconds(600))
        let error = await error(of: task)
        #expect(error?.code == .canceled)
        #expect(error?.reason == .timedOut)
        _ = try await wire.first("/v1/authorizations/cancel")
        try expectClosed(wire)
    }

    @Test("A time limit beyond all bounds counts as a year")
    func endless() async throws {
        let opened = OneShot<Void>()
        let time = VirtualTime()
        var configuration = waiting(Wire(), opened: opened)
        configuration.timeout = .seconds(Int64.max)
        let performer = AccountServicePerformer(configuration: configuration, time: time.flowTime)
        let task = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await opened.value()
        try await time.sleeper()
        time.advance(by: .seconds(31_536_000))
        #expect(await error(of: task)?.reason == .timedOut)
    }

    @Test("A new sign-in ends the waiting one, whose end doesn't disturb it")
    func superseded() async throws {
        let wire = Wire()
        let opened = OneShot<Void>()
        var configuration = waiting(wire, opened: opened)
        configuration.browser = BrowserPresenter { _ in
            // The first opening only waits; the second is followed back.
            guard !opened.deliver(.success(())) else { return }
            try await Wire.follow("\(wire.begun?.redirectURI ?? "")?handle=x&id=\(Wire.id)")
        }
        let performer = AccountServicePerformer(configuration: configuration)
        let first = Task { try await performer.authorize(AppleIDRequestValues()) }
        try await opened.value()
        let second = try await performer.authorize(AppleIDRequestValues())
        #expect(second.user == Wire.user)
        let error = await error(of: first)
        #expect(error?.code == .canceled)
        #expect(error?.reason == .superseded)
    }

    @Test("Two performers do not end each other's sign-ins")
    func twoPerformers() async throws {
        let opened = OneShot<Void>()
        let first = Wire()
        let waiting = AccountServicePerformer(configuration: waiting(first, opened: opened))
        let task = Task { try await waiting.authorize(AppleIDRequestValues()) }
        try await opened.value()
        _ = try await AccountServicePerformer(configuration: Wire().configuration()).authorize(AppleIDRequestValues())
        try await Wire.follow("\(first.begun?.redirectURI ?? "")?handle=x&id=\(Wire.id)")
        #expect(try await task.value.user == Wire.user)
    }
}
