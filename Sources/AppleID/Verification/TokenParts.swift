/// The three parts of a compact JSON Web Signature, decoded.
struct TokenParts {
    let header: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    /// How much of the token was signed: header and payload with the dot between them.
    let signingInputLength: Int
}
