/// How the service takes and keeps passwords. Without these settings it takes none.
public struct PasswordSettings: Sendable {
    /// The minimum lengths that an operator may choose. NIST SP 800-63B-4 allows 8 only beside a second factor; ASVS
    /// 5.0 allows it, and recommends 15.
    public static let minimumLengths = 8...64

    /// The fewest characters of a new password. Passwords that are there already stay good.
    public private(set) var minimumLength: Int
    /// The greatest number of passwords that are hashed at once. Never are more of them hashed than half of the
    /// machine's cores, but always one.
    public var hashers: Int
    /// The memory and the time that a hash takes.
    public var cost: PasswordCost
    /// Whether the threads that hash make way for all others; see ``HasherThread``. Tests wait for their hashes, and have
    /// no others to make way for.
    package var makesWay = true
    /// Runs on the thread, before each password is hashed. Tests hold threads there.
    package var willHash: (@Sendable (Password) -> Void)?

    /// Makes settings. A minimum length outside ``minimumLengths`` becomes the nearest one inside.
    public init(minimumLength: Int = 15, hashers: Int = 2, cost: PasswordCost = .standard) {
        self.minimumLength = min(max(minimumLength, Self.minimumLengths.lowerBound), Self.minimumLengths.upperBound)
        self.hashers = hashers
        self.cost = cost
    }
}

/// The parameters of scrypt (RFC 7914), which decide how much memory and time a hash of a password takes.
public struct PasswordCost: Hashable, Sendable {
    /// N=2¹⁵, r=8, p=3: 32 MiB and about a third of a second. One of the settings that OWASP's Password Storage Cheat
    /// Sheet recommends, and with them ASVS 5.0.
    public static let standard = PasswordCost(roundsExponent: 15, blockSize: 8, parallelism: 3)

    static let roundsExponents = 1...20
    static let blockSizes = 1...32
    static let parallelisms = 1...16

    /// The exponent of scrypt's N, which is 2 to the power of it.
    package let roundsExponent: Int
    /// scrypt's r.
    package let blockSize: Int
    /// scrypt's p.
    package let parallelism: Int

    /// Makes a cost. Tests take a low one, so that they don't wait for hashes.
    /// - Parameters:
    ///   - roundsExponent: 1 to 20.
    ///   - blockSize: 1 to 32.
    ///   - parallelism: 1 to 16.
    package init(roundsExponent: Int, blockSize: Int, parallelism: Int) {
        self.roundsExponent = roundsExponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The blocks that scrypt mixes, by which its time grows: N·r·p.
    package var work: Int { (1 << roundsExponent) * blockSize * parallelism }

    /// A cost whose work, together with this one's, is about that of the present cost; nil where this one's is as much.
    func rest(of present: PasswordCost) -> PasswordCost? {
        let times = (present.work - work) / ((1 << roundsExponent) * blockSize)
        guard times > 0 else { return nil }
        return PasswordCost(roundsExponent: roundsExponent, blockSize: blockSize, parallelism: times)
    }

    /// A cost for the part of this cost's work that is left; nil where nothing is.
    /// - Parameter fraction: the part of the work that is done.
    func rest(after fraction: Double) -> PasswordCost? {
        // An eighth of the memory, for steps that are small enough.
        let exponent = max(1, roundsExponent - 3)
        let unit = Double((1 << exponent) * blockSize)
        let times = Int((Double(work) * (1 - fraction) / unit).rounded())
        guard times > 0 else { return nil }
        return PasswordCost(roundsExponent: exponent, blockSize: blockSize, parallelism: times)
    }

    /// Whether one guess at a hash of somebody else's file takes little enough memory and time.
    var isBearable: Bool { (128 * blockSize) << roundsExponent <= FirebaseScrypt.maximumMemory && parallelism <= 4 }
}
