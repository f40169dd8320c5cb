/// Cuts what a sender sends into lines.
///
/// A line ends with CR LF. A lone CR or LF is no ending here and nothing else either: servers that differ about it can
/// be made to see a second mail inside of a first.
struct SMTPLines: Sendable {
    enum Line: Hashable, Sendable {
        /// A line without its ending.
        case line([UInt8])
        /// Longer than allowed; it is gone.
        case tooLong
        case bareLineBreak
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")

    private var buffer: [UInt8] = []
    /// The offset at which the next line begins.
    private var start = 0
    /// The offset up to which there is no line break.
    private var scanned = 0
    private var isSkipping = false

    mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next line; nil when more bytes are needed. It keeps no more bytes until then than a line may have.
    mutating func next(limit: Int) -> Line? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            if byte == Self.lf { return .bareLineBreak }
            if byte == Self.cr {
                guard scanned + 1 < buffer.count else { break }
                guard buffer[scanned + 1] == Self.lf else { return .bareLineBreak }
                return take(limit)
            }
            scanned += 1
        }
        if scanned - start > limit {
            isSkipping = true
            buffer.removeSubrange(start..<scanned)
            scanned = start
        }
        return nil
    }

    private mutating func take(_ limit: Int) -> Line {
        defer {
            scanned += 2
            start = scanned
            isSkipping = false
        }
        return isSkipping || scanned - start > limit ? .tooLong : .line(Array(buffer[start..<scanned]))
    }
}
