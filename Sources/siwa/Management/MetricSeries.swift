import CoreMetrics
import Synchronization

/// One number, or a sum with its count, that code adds to from anywhere.
final class MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind: String, Sendable {
        case counter
        case gauge
        /// Count and sum; no quantiles, which of several servers could not be added up.
        case summary
    }

    struct State {
        var value = 0.0
        var count: Int64 = 0
    }

    let kind: Kind
    private let state = Mutex(State())

    init(_ kind: Kind) { self.kind = kind }

    var current: State { state.withLock { $0 } }

    // MARK: Counters

    func increment(by amount: Int64) { add(Double(amount)) }

    func increment(by amount: Double) { add(amount) }

    func reset() { state.withLock { $0 = State() } }

    // MARK: Meters

    func decrement(by amount: Double) { add(-amount) }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) {
        guard value.isFinite else { return }
        state.withLock { $0.value = value }
    }

    // MARK: Recorders and timers

    func record(_ value: Int64) { add(Double(value)) }

    func record(_ value: Double) { add(value) }

    func recordNanoseconds(_ duration: Int64) { add(Double(duration) * 1e-9) }

    /// What is no number would spoil the sum for good.
    private func add(_ amount: Double) {
        guard amount.isFinite else { return }
        state.withLock { state in
            state.value += amount
            state.count += 1
        }
    }
}
