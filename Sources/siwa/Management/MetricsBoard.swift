import CoreMetrics
import TaskSignals

/// The counts of the libraries, as Prometheus reads them.
///
/// Labels come from code, never from a request. If a request could choose one, ``capacity`` still limits the number of
/// series.
final class MetricsBoard: MetricsFactory {
    static let capacity = 4_096

    private struct Key: Hashable, Comparable {
        let name: String
        /// The labels as in the text, without braces.
        let labels: String

        static func < (left: Self, right: Self) -> Bool {
            (left.name, left.labels) < (right.name, right.labels)
        }
    }

    private let board = Lock<[Key: MetricSeries]>([:])

    private func series(
        _ kind: MetricSeries.Kind, _ label: String, suffix: String = "", _ dimensions: [(String, String)]
    ) -> MetricSeries {
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.sorted()
        let key = Key(name: Self.name(label) + suffix, labels: labels.joined(separator: ","))
        return board.withLock { board in
            if let known = board[key] { return known }
            let new = MetricSeries(kind)
            if board.count < Self.capacity { board[key] = new }
            return new
        }
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, suffix: "_total", dimensions)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, suffix: "_total", dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(aggregate ? .summary : .gauge, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.summary, label, suffix: "_seconds", dimensions)
    }

    // A counter is made anew each time that something is counted; what it stands for goes on.

    func destroyCounter(_ handler: any CounterHandler) {}

    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    func destroyMeter(_ handler: any MeterHandler) {}

    func destroyRecorder(_ handler: any RecorderHandler) {}

    func destroyTimer(_ handler: any TimerHandler) {}

    // MARK: Text

    /// Prometheus's text format, version 0.0.4.
    var text: String {
        var text = ""
        var last = ""
        for (key, series) in board.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            if key.name != last {
                text += "# TYPE \(key.name) \(series.kind.rawValue)\n"
                last = key.name
            }
            let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
            let state = series.current
            switch series.kind {
            case .counter, .gauge: text += "\(key.name)\(labels) \(state.value)\n"
            case .summary:
                text += "\(key.name)_sum\(labels) \(state.value)\n\(key.name)_count\(labels) \(state.count)\n"
            }
        }
        return text
    }

    private static func name(_ label: String) -> String {
        let name = label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return (name.first?.isNumber ?? true ? "_" : "") + String(name)
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

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
    private let state = Lock(State())

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

    /// Adds an amount, if it is finite: any other would spoil the sum for good.
    private func add(_ amount: Double) {
        guard amount.isFinite else { return }
        state.withLock { state in
            state.value += amount
            state.count += 1
        }
    }
}
