/// What a sign-in comes to.
struct AuthDataResult: Sendable {
    let user: User
}
