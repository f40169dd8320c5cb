import Foundation
package import Testing

/// Runs each test of a suite, or one test, on every engine, one after the other. A failure names its engine.
package struct EachEngine: TestTrait, SuiteTrait, TestScoping {
    /// Whether each test runs on SQLite twice: in memory, and in a file.
    fileprivate var includesFile = false

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for engine in Engine.allCases {
            let named = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("on \(engine)")
                return issue
            }
            try await Engine.$current.withValue(engine) {
                try await named.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
        if includesFile {
            try await inFile(for: test, testCase: testCase, performing: function)
        }
    }

    /// Runs the test on SQLite with a folder for its database, which is removed afterwards.
    private func inFile(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let named = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            issue.comments.append("on sqlite, in a file")
            return issue
        }
        let result: Result<Void, any Error>
        do {
            try await Engine.$current.withValue(.sqlite) {
                try await Engine.$folder.withValue(folder) {
                    try await named.provideScope(for: test, testCase: testCase, performing: function)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }
}

extension Trait where Self == EachEngine {
    /// For tests that use a store. The store comes from ``Engine/current``.
    package static var eachEngine: Self { Self() }

    /// For tests of what a store does: each engine, and SQLite in a file, too, where readers and the writer have
    /// connections of their own.
    package static var eachDatabase: Self { Self(includesFile: true) }
}
