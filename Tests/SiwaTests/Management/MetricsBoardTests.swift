import CoreMetrics
import Testing

@testable import siwa

@Suite("The metrics for Prometheus")
struct MetricsBoardTests {
    @Test("have every kind of metric once, by name and labels, however often it was made")
    func text() {
        let board = MetricsBoard()
        for _ in 0..<3 {
            Counter(label: "accounts.outbox", dimensions: [("kind", "code"), ("a", "1")], factory: board).increment()
            Counter(label: "accounts.outbox", dimensions: [("a", "2"), ("kind", "code")], factory: board)
                .increment(by: 2)
        }
        FloatingPointCounter(label: "share", factory: board).increment(by: 0.5)
        Meter(label: "open", factory: board).set(7)
        Meter(label: "open", factory: board).decrement(by: 2)
        Recorder(label: "bytes", factory: board).record(10)
        Recorder(label: "bytes", factory: board).record(30)
        Timer(label: "apple_id.call.duration", dimensions: [("call", "keys")], factory: board)
            .recordNanoseconds(1_500_000_000)
        #expect(
            board.text == """
                # TYPE accounts_outbox_total counter
                accounts_outbox_total{a="1",kind="code"} 3.0
                accounts_outbox_total{a="2",kind="code"} 6.0
                # TYPE apple_id_call_duration_seconds summary
                apple_id_call_duration_seconds_sum{call="keys"} 1.5
                apple_id_call_duration_seconds_count{call="keys"} 1
                # TYPE bytes summary
                bytes_sum 40.0
                bytes_count 2
                # TYPE open gauge
                open 5.0
                # TYPE share_total counter
                share_total 0.5

                """)
    }

    @Test("have names that Prometheus accepts, and escaped values")
    func escaping() {
        let board = MetricsBoard()
        Counter(label: "9 lives–of a.cat", dimensions: [("who's", "a \"b\"\\\n")], factory: board).increment()
        #expect(board.text.contains("\n_9_lives_of_a_cat_total{who_s=\"a \\\"b\\\"\\\\\\n\"} 1.0\n"))
    }

    @Test("leave out values that aren't numbers")
    func numbers() {
        let board = MetricsBoard()
        let recorder = Recorder(label: "r", factory: board)
        for value in [Double.nan, .infinity, 2] { recorder.record(value) }
        Meter(label: "m", factory: board).set(Double.nan)
        #expect(board.text.contains("r_sum 2.0\nr_count 1\n") && board.text.contains("\nm 0.0\n"))
    }

    @Test("are bounded, however many are made")
    func bounded() {
        let board = MetricsBoard()
        for index in 0..<(MetricsBoard.capacity + 100) {
            Counter(label: "c", dimensions: [("i", "\(index)")], factory: board).increment()
        }
        #expect(board.text.split(separator: "\n").count == MetricsBoard.capacity + 1)
    }
}
