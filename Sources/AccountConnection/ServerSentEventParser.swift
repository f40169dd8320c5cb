package import Foundation

/// One message of a stream of server-sent events (WHATWG HTML, "Server-sent events").
package struct ServerSentEvent: Hashable, Sendable {
    /// The last id that the stream has named.
    package var id: String?
    package var data: String

    package init(id: String?, data: String) {
        self.id = id
        self.data = data
    }
}

/// Makes messages of the bytes of an event stream, however they are cut.
package struct ServerSentEventParser {
    /// A message of the account service's has some hundred bytes.
    private static let maximumMessageBytes = 64 * 1024

    /// The time that the server asks its clients to wait before they connect again.
    package private(set) var retry: Duration?
    /// The id of the last message that has ended, or one named before it.
    package private(set) var lastID: String?
    private var namedID: String?
    private var data: [String] = []
    private var line: [UInt8] = []
    private var size = 0
    private var endedWithReturn = false

    package struct TooLarge: Error {}

    package init() {}

    package mutating func parse(_ bytes: Data) throws(TooLarge) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            // A line ends with a return, a line feed, or both.
            defer { endedWithReturn = byte == 13 }
            if byte == 10, endedWithReturn { continue }
            guard byte == 10 || byte == 13 else {
                size += 1
                guard size <= Self.maximumMessageBytes else { throw TooLarge() }
                line.append(byte)
                continue
            }
            if let event = end() { events.append(event) }
        }
        return events
    }

    private mutating func end() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            lastID = namedID
            defer { (data, size) = ([], 0) }
            return data.isEmpty ? nil : ServerSentEvent(id: lastID, data: data.joined(separator: "\n"))
        }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : ""
        if value.first == " " { value.removeFirst() }
        switch parts[0] {
        case "data": data.append(String(value))
        case "id" where !value.contains("\0"): namedID = String(value)
        case "retry": retry = Int(value).map { .milliseconds($0) } ?? retry
        // A comment begins with the colon; the kind of an event stands in its data too.
        default: break
        }
        // A comment is no part of a message, and there is no limit to their number.
        if parts[0].isEmpty, data.isEmpty { size = 0 }
        return nil
    }
}
