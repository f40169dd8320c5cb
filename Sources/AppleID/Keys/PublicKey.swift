package import AppleIDTypes
package import StrictJSON

/// A key out of a key set, parsed once and fit for one algorithm.
package protocol PublicKey: Sendable {
    var id: KeyID { get }
    /// What two spellings of one key have in common.
    var derRepresentation: [UInt8] { get }

    /// A member of a key set's `keys` (RFC 7517 §4), or nil for one that the algorithm cannot use.
    init?(_ key: JSONValue)
}
