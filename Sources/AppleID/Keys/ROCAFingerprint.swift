/// Moduli of one maker's chips, whose private keys can be computed (CVE-2017-15361): modulo every small prime they are
/// a power of 65537, which no other modulus is modulo all of them.
enum ROCAFingerprint {
    /// The product of these primes went into every key of 2048 bits and more.
    private static let largestPrime = 701

    private struct Mark: Sendable {
        let prime: UInt32
        /// Whether a remainder is a power of 65537.
        let isPower: [Bool]
    }

    private static let marks: [Mark] = {
        let primes = (2...largestPrime).filter { number in !(2..<number).contains { number.isMultiple(of: $0) } }
        return primes.dropFirst().map { prime in
            var isPower = [Bool](repeating: false, count: prime)
            var power = 1
            while !isPower[power] {
                isPower[power] = true
                power = power * 65_537 % prime
            }
            return Mark(prime: UInt32(prime), isPower: isPower)
        }
    }()

    /// - Parameter modulus: big-endian.
    static func matches(_ modulus: [UInt8]) -> Bool {
        marks.allSatisfy { mark in
            mark.isPower[Int(modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % mark.prime })]
        }
    }
}
