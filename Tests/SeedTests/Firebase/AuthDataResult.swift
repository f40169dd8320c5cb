/// The result of a sign-in.
struct AuthDataResult: Sendable {
    let user: User
}
