import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Signing in with a device code", .timeLimit(.minutes(2)))
struct DeviceFlowTests {
    let time = VirtualTime()

    /// A service that answers the polls in this order, and with the credential afterwards.
    private func wire(polls: [Result<ServiceAnswer, any Error>]) -> Wire {
        Wire { call in
            if call.request.path == "/v1/authorizations/redeem", call.earlier < polls.count {
                return try polls[call.earlier].get()
            }
            return try Wire.standard(call)
        }
    }

    private func performer(_ wire: Wire) -> AccountServicePerformer {
        AccountServicePerformer(configuration: wire.configuration(.device), time: time.flowTime)
    }

    @Test("The code is shown, and the answer is fetched with device code and verifier")
    func wholeWay() async throws {
        let wire = wire(polls: [])
        let shown = OneShot<DeviceCode>()
        var configuration = wire.configuration(.device)
        configuration.showDeviceCode = { shown.deliver(.success($0)) }
        let values = try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
            AppleIDRequestValues(requestedScopes: [.fullName], state: "st", nonce: "no"))
        #expect(values.user == Wire.user)
        #expect(wire.begun?.redirectURI == nil)
        let code = try await shown.value()
        #expect(code.userCode == "BCDF-GHJK")
        #expect(code.verificationURL.absoluteString == "https://accounts.example/device")
        #expect(code.expiresAt == VirtualTime.start.addingTimeInterval(600))
        let redemption = try JSONDecoder().decode(
            RedeemAuthorizationRequest.self, from: try #require(wire.requests.last?.body))
        #expect(redemption.deviceCode == "device-code")
        #expect(redemption.handle == nil)
    }

    @Test("The app polls a little less often than allowed")
    func pace() async throws {
        let pending = Result<ServiceAnswer, any Error> { try Wire.refusal(400, .authorizationPending) }
        _ = try await performer(wire(polls: [pending, pending])).authorize(AppleIDRequestValues())
        #expect(time.pauses == [.seconds(6), .seconds(6), .seconds(6)])
    }

    @Test("Each slow_down adds five seconds to the interval for good")
    func slowDown() async throws {
        let polls = [ErrorCode.slowDown, .authorizationPending, .slowDown].map { code in
            Result<ServiceAnswer, any Error> { try Wire.refusal(400, code) }
        }
        _ = try await performer(wire(polls: polls)).authorize(AppleIDRequestValues())
        #expect(time.pauses == [.seconds(6), .seconds(14), .seconds(14), .seconds(21)])
    }

    @Test("The app waits as long as the service's Retry-After says")
    func retryAfter() async throws {
        let busy = Result<ServiceAnswer, any Error> {
            var answer = try Wire.refusal(429, .rateLimited)
            answer.headers["Retry-After"] = "30"
            return answer
        }
        _ = try await performer(wire(polls: [busy])).authorize(AppleIDRequestValues())
        #expect(time.pauses == [.seconds(6), .seconds(30)])
    }

    @Test(
        "The service's interval is limited to between a second and a minute",
        arguments: [
            (Int.max, Duration.seconds(72)), (61, .seconds(72)), (0, .milliseconds(1200)), (-5, .milliseconds(1200)),
            (Int.min, .milliseconds(1200)),
        ])
    func interval(seconds: Int, pause: Duration) async throws {
        let time = VirtualTime(long: .seconds(3600))
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations" else { return try Wire.standard(call) }
            return try Wire.json(Wire.deviceAnswer(interval: seconds))
        }
        var configuration = wire.configuration(.device)
        configuration.timeout = .seconds(3600)
        _ = try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
            AppleIDRequestValues())
        #expect(time.pauses == [pause])
    }

    @Test(
        "The app polls once more when the code expires, however long it was told to wait",
        arguments: [
            ("590", [Duration.seconds(6), .seconds(590), .seconds(4)]), ("\(Int.max)", [.seconds(6), .seconds(594)]),
        ])
    func retryAtTheEnd(retryAfter: String, pauses: [Duration]) async throws {
        let time = VirtualTime(long: .seconds(3600))
        let busy = ServiceAnswer(status: 503, headers: ["Retry-After": retryAfter])
        var configuration = wire(polls: Array(repeating: .success(busy), count: 3)).configuration(.device)
        configuration.timeout = .seconds(3600)
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
                AppleIDRequestValues())
        }
        #expect(error?.reason == .serviceUnavailable)
        #expect(time.pauses == pauses)
    }

    @Test("A failing network, or a service that restarts, doesn't end the polling")
    func hiccups() async throws {
        let polls: [Result<ServiceAnswer, any Error>] = [
            .failure(URLError(.networkConnectionLost)), .failure(URLError(.cannotConnectToHost)),
            .success(ServiceAnswer(status: 502, body: Data("<html>".utf8))),
            Result { try Wire.refusal(503, .unavailable) }, Result { try Wire.refusal(408, .requestTimeout) },
            Result { try Wire.refusal(400, .authorizationPending) },
        ]
        let values = try await performer(wire(polls: polls)).authorize(AppleIDRequestValues())
        #expect(values.user == Wire.user)
    }

    @Test("An unused code expires by the service's answer or by the clock", arguments: [true, false])
    func expiry(isTold: Bool) async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            return try Wire.refusal(400, isTold && call.earlier == 3 ? .expired : .authorizationPending)
        }
        var configuration = wire.configuration(.device)
        configuration.timeout = .seconds(3600)
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
                AppleIDRequestValues())
        }
        #expect(error?.code == .canceled)
        #expect(error?.reason == .expired)
        #expect(time.elapsed == (isTold ? .seconds(24) : .seconds(600)))
    }

    @Test("If the network stays down until the end, the error is the network's and not the expiry")
    func expiryWithoutNetwork() async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            throw URLError(.notConnectedToInternet)
        }
        var configuration = wire.configuration(.device)
        configuration.timeout = .seconds(3600)
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
                AppleIDRequestValues())
        }
        #expect(error?.code == .failed)
        #expect(error?.reason == .serviceUnavailable)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == .notConnectedToInternet)
    }

    @Test("A refusal in the browser ends the polling at once")
    func denied() async throws {
        let denied = Result<ServiceAnswer, any Error> { try Wire.refusal(403, .denied) }
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await performer(wire(polls: [denied])).authorize(AppleIDRequestValues())
        }
        #expect(error?.code == .canceled)
        #expect(error?.reason == .denied)
        #expect(time.pauses == [.seconds(6)])
    }

    @Test("A clock that is hours off doesn't end the polling early", arguments: [-7200.0, 7200])
    func wrongClock(offset: TimeInterval) async throws {
        var flowTime = time.flowTime
        flowTime.now = { [time] in VirtualTime.start.addingTimeInterval(offset + time.elapsed.seconds) }
        let pending = Result<ServiceAnswer, any Error> { try Wire.refusal(400, .authorizationPending) }
        let wire = wire(polls: Array(repeating: pending, count: 20))
        let values = try await AccountServicePerformer(
            configuration: wire.configuration(.device), time: flowTime
        ).authorize(AppleIDRequestValues())
        #expect(values.user == Wire.user)
    }

    @Test("The presenter of the code is cancelled when the code is no longer needed")
    func showing() async throws {
        let ended = OneShot<Void>()
        var configuration = wire(polls: []).configuration(.device)
        configuration.showDeviceCode = { _ in
            let never = OneShot<Void>()
            do {
                try await never.value()
            } catch {
                ended.deliver(.success(()))
            }
        }
        _ = try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
            AppleIDRequestValues())
        try await ended.value()
    }

    @Test(
        "An invalid code or page is not shown",
        arguments: [
            ("BCDF\u{1B}[2J", "https://accounts.example/device"), ("BCDF GHJK", "https://accounts.example/device"),
            ("BCDF-GHJK\n", "https://accounts.example/device"), ("ÄÖÜ-ẞ", "https://accounts.example/device"),
            ("", "https://accounts.example/device"),
            (String(repeating: "B", count: 33), "https://accounts.example/device"),
            ("BCDF-GHJK", "file:///etc/passwd"), ("BCDF-GHJK", "https:device"), ("BCDF-GHJK", "javascript:alert(1)"),
            ("BCDF-GHJK", ""),
        ])
    func unshowable(userCode: String, page: String) async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations" else { return try Wire.standard(call) }
            return try Wire.json(Wire.deviceAnswer(userCode: userCode, verificationURL: page))
        }
        var configuration = wire.configuration(.device)
        configuration.showDeviceCode = { _ in Issue.record("shown") }
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration, time: time.flowTime).authorize(
                AppleIDRequestValues())
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.reason == .unreadableAnswer)
        #expect(wire.paths == ["/v1/authorizations"])
    }

    #if os(Linux)
        @Test("A standard error that can't be written to doesn't end the sign-in")
        func fullStandardError() throws {
            let page = try #require(URL(string: "https://accounts.example/device"))
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            DeviceCode(userCode: "BCDF-GHJK", verificationURL: page, expiresAt: VirtualTime.start).print(to: full)
            try full.close()
            DeviceCode(userCode: "BCDF-GHJK", verificationURL: page, expiresAt: VirtualTime.start).print(to: full)
        }
    #endif

    @Test("The text for the terminal has the page and the code, and no link with the code in it")
    func text() throws {
        let page = try #require(URL(string: "https://accounts.example/device"))
        let text = DeviceCode(userCode: "BCDF-GHJK", verificationURL: page, expiresAt: VirtualTime.start).text
        #expect(text.contains("    https://accounts.example/device\n"))
        #expect(text.contains("    BCDF-GHJK\n"))
    }
}
