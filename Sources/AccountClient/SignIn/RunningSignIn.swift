/// The asking of the person that is under way, to sign in or to prove who is there: there is one at a time, the newest.
struct RunningSignIn {
    let number: Int
    let cancel: @Sendable () -> Void
}
