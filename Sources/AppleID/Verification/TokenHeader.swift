import AppleIDTypes

/// The header members that verification looks at.
struct TokenHeader {
    let algorithm: Claim<String>
    let keyID: Claim<String>
}
