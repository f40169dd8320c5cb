/// The sign-in that is under way: there is one at a time, the newest.
struct RunningSignIn {
    let number: Int
    let task: Task<Account, any Error>
}
