import AccountService

extension DailyCheck {
    /// A round of the work that a running server does side by side.
    func round() async {
        await askAboutDue()
        await endDeadGrants()
    }
}
