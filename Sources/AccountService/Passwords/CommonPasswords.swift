import CCommonPasswords

/// The list of passwords that many people use, which guessers try first. `Sources/CCommonPasswords/README.md` says
/// whose list it is.
enum CommonPasswords {
    /// Returns whether a password is on the list, in upper or lower case.
    ///
    /// The list is in the order of its bytes, so this is a binary search, by offsets in the text: there is no index
    /// to hold.
    static func contains(_ password: String) -> Bool {
        let word = Array(password.lowercased().utf8)
        let list = unsafe UnsafeBufferPointer(start: common_passwords(), count: common_passwords_size)
        // Both are beginnings of lines, or the end.
        var low = 0
        var high = list.count
        while low < high {
            var start = low + (high - low) / 2
            while unsafe start > low && list[start - 1] != lineFeed { start -= 1 }
            var end = start
            while unsafe end < high && list[end] != lineFeed { end += 1 }
            let line = unsafe list[start..<end]
            if unsafe line.elementsEqual(word) { return true }
            if unsafe line.lexicographicallyPrecedes(word) { low = end + 1 } else { high = start }
        }
        return false
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
