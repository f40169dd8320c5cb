import Foundation
import Testing

extension TestEmulator {
    /// Johnny's device asks for everything for Juice, unless told otherwise; a null takes a member away.
    func deviceAnswer(_ changes: [String: any Sendable] = [:]) async throws -> Answer {
        var members: [String: any Sendable] = [
            "person": "johnny", "clientID": "com.example.juice", "requestedScopes": ["full_name", "email"],
        ]
        members.merge(changes) { _, new in new }
        return try await call("/emulator/device/authorizations", members)
    }

    func credential(_ changes: [String: any Sendable] = [:]) async throws -> [String: any Sendable] {
        let answer = try await deviceAnswer(changes)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["credential"] as? [String: any Sendable], "\(answer.text)")
    }

    func deviceError(_ changes: [String: any Sendable] = [:]) async throws -> [String: any Sendable] {
        let answer = try await deviceAnswer(changes)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["error"] as? [String: any Sendable], "\(answer.text)")
    }

    /// For Juice, unless told otherwise.
    func credentialState(
        _ user: (any Sendable)?, _ changes: [String: any Sendable] = [:]
    ) async throws -> String? {
        var members: [String: any Sendable] = ["clientID": "com.example.juice", "user": user ?? NSNull()]
        members.merge(changes) { _, new in new }
        let answer = try await call("/emulator/device/credential-state", members)
        #expect(answer.status == 200, "\(answer.text)")
        let numbers = ["revoked": 0, "authorized": 1, "notFound": 2, "transferred": 3]
        let state = try answer.json["credentialState"] as? String
        #expect(try answer.json["rawValue"] as? Int == state.flatMap { numbers[$0] })
        return state
    }
}
