import TaskSignals
import Testing

@testable import AccountService

@Suite("Optional work")
struct FinishingWorkLimitTests {
    @Test("has a limit, while other work has none")
    func limit() async {
        let finishing = FinishingWork()
        let gate = OneShot<Void>()
        for _ in 0..<FinishingWork.maximumOptional {
            #expect(finishing.beginOptional { await gate.waitDespiteCancellation() })
        }
        #expect(!finishing.beginOptional { Issue.record("this is one too many") })
        let other = OneShot<Void>()
        finishing.begin { other.deliver() }
        await other.waitDespiteCancellation()
        gate.deliver()
        await finishing.idle()
        #expect(finishing.beginOptional {})
        await finishing.idle()
    }
}
