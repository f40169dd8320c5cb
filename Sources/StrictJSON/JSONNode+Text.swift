extension JSONNode {
    /// The UTF-8 of a string or name, escapes resolved.
    func unescaped(in bytes: [UInt8]) -> [UInt8] {
        let range = Int(start)..<Int(start) + Int(count)
        if flag { return Array(bytes[range]) }
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if let escape = JSONEscape(in: bytes, at: position) {
                result.append(contentsOf: String(Character(escape.scalar)).utf8)
                position += escape.length
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    func text(in bytes: [UInt8]) -> String {
        if flag {
            String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
        } else {
            String(decoding: unescaped(in: bytes), as: UTF8.self)
        }
    }

    /// Whether a string or name is this text, byte by byte.
    func equals(_ text: String, in bytes: [UInt8]) -> Bool {
        let utf8 = text.utf8
        guard flag else { return unescaped(in: bytes).elementsEqual(utf8) }
        guard utf8.count == Int(count) else { return false }
        let bytes = bytes.span
        var position = Int(start)
        for byte in utf8 {
            guard bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }

    /// Whether a member's name is this one.
    func equals(_ name: JSONName, in bytes: [UInt8]) -> Bool {
        guard flag else { return unescaped(in: bytes) == name.bytes }
        guard name.bytes.count == Int(count) else { return false }
        let (text, bytes) = (name.bytes.span, bytes.span)
        var position = Int(start)
        for index in text.indices {
            guard bytes[position] == text[index] else { return false }
            position += 1
        }
        return true
    }
}
