package import Testing

/// Runs each test of a suite, or one test, on every engine, one after the other, and says on which it failed.
package struct EachEngine: TestTrait, SuiteTrait, TestScoping {
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
    }
}

extension Trait where Self == EachEngine {
    /// For what touches the store. The store comes from ``Engine/current``.
    package static var eachEngine: Self { Self() }
}
