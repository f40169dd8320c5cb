/// Lowercase hexadecimal, as clients write hashed nonces.
enum Hexadecimal {
    static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(64)
        for byte in bytes {
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        return result
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
