import AsyncHTTPClient
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import TaskSignals

/// Delivers due notifications from the outbox to the apps.
@available(siwaServer 1.0, *)
struct NotificationSender: Sendable {
    typealias Send = @Sendable (NotificationRequest) async throws -> Int

    let outbox: Outbox
    let clock: EmulatorEnvironment
    let deliversOnce: @Sendable () -> Bool
    let logger: Logger

    /// Sends until no notification is due any more, and returns when the last one was answered or had no answer in
    /// time.
    func deliverDue(through send: @escaping Send) async {
        await withDiscardingTaskGroup { group in addWorkers(to: &group, through: send) }
    }

    /// Begins with what is due. A worker goes on by itself as long as there is something that nobody else sends, so one
    /// that waits for a silent address holds up no other address, in this round or the next.
    func addWorkers(to group: inout DiscardingTaskGroup, through send: @escaping Send) {
        while let first = takeNext() {
            group.addTask {
                var next: OutgoingNotification? = first
                while let notification = next {
                    await deliver(notification, through: send)
                    next = Task.isCancelled ? nil : takeNext()
                }
            }
        }
    }

    private func takeNext() -> OutgoingNotification? { outbox.changeSilently { $0.takeNext(at: clock.seconds) } }

    private func deliver(_ notification: OutgoingNotification, through send: Send) async {
        guard let address = notification.address, !Task.isCancelled else {
            return outbox.changeSilently { $0.giveBack(notification.id, at: clock.seconds) }
        }
        let outcome: OutgoingNotification.Outcome
        do {
            outcome = .status(try await send(NotificationRequest(url: address, body: notification.body)))
        } catch {
            if Task.isCancelled { return outbox.changeSilently { $0.giveBack(notification.id, at: clock.seconds) } }
            outcome = .unanswered(HTTPDelivery.reason(error))
        }
        outbox.changeSilently {
            $0.finish(notification.id, outcome, at: clock.seconds, deliversOnce: deliversOnce())
        }
        if !outcome.isAccepted {
            logger.info(
                "A notification was not accepted",
                metadata: ["id": "\(notification.id)", "outcome": "\(outcome)", "client": "\(notification.audience)"])
        }
    }
}

/// Delivers while the server runs: when something is added, and every second as long as something waits for its time.
/// When the run ends, attempts under way are broken off.
///
/// The emulator's clock may stand still or jump, so the service checks every second instead of sleeping until a time.
@available(siwaServer 1.0, *)
struct NotificationService: Service, CustomStringConvertible {
    let sender: NotificationSender
    /// Nil: the network.
    let send: NotificationSender.Send?

    var description: String { "NotificationService" }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            if let send {
                await deliver(through: send)
            } else {
                try await HTTPDelivery.run { delivery in await deliver(through: delivery.send) }
            }
        }
    }

    private func deliver(through send: @escaping NotificationSender.Send) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                do {
                    while true {
                        try await Task.sleep(for: .seconds(1))
                        if sender.outbox.queue.entries.contains(where: \.isWaiting) { sender.outbox.notify() }
                    }
                } catch {
                    // A sleep is broken off for one reason only: the task is cancelled, because the run ends.
                }
            }
            // Deliveries that were due before the start have notified nobody.
            sender.outbox.notify()
            for await _ in sender.outbox.changes { sender.addWorkers(to: &group, through: send) }
            group.cancelAll()
        }
    }
}

/// A notification on its way: a `POST` of JSON to an app's notification URL.
public struct NotificationRequest: Hashable, Sendable {
    /// The app's notification URL: `https`, or `http` to a host that the portal allows.
    public let url: String
    /// The JSON `{"payload": "…"}` with a signed token.
    public let body: String
}

/// Delivers notifications over the network. It follows no redirect and reads no body, so that an app's server can
/// neither send the emulator elsewhere nor keep it waiting.
struct HTTPDelivery: Sendable {
    private let client: HTTPClient
    private let timeLimit: TimeAmount

    /// Runs something with a client that is shut down at its end.
    static func run<Value: Sendable>(
        timeLimit: TimeAmount = .seconds(10),
        _ body: (HTTPDelivery) async throws -> Value
    ) async throws -> Value {
        try await HTTPClient.withHTTPClient(configuration: .oneAttempt(timeLimit: timeLimit)) { client in
            try await body(HTTPDelivery(client: client, timeLimit: timeLimit))
        }
    }

    /// - Returns: the status.
    func send(_ request: NotificationRequest) async throws -> Int {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = .POST
        outgoing.headers.add(name: "Content-Type", value: "application/json")
        outgoing.body = .bytes(ByteBuffer(string: request.body))
        return Int(try await client.execute(outgoing, timeout: timeLimit).status.code)
    }

    /// A word for what went wrong, without the addresses that errors of the network hold.
    static func reason(_ error: any Error) -> String {
        (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
    }
}

extension HTTPClient.Configuration {
    /// The settings for a request to an address that somebody else chose: no redirect, no second attempt to connect, and
    /// five seconds to connect.
    /// - Parameter timeLimit: the maximum time without a byte of the answer.
    static func oneAttempt(timeLimit: TimeAmount) -> Self {
        var configuration = Self(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: timeLimit))
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
