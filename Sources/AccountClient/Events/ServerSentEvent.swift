/// One message of a stream of server-sent events (WHATWG HTML, "Server-sent events").
struct ServerSentEvent: Hashable, Sendable {
    /// The last id that the stream has named.
    var id: String?
    var data: String
}
