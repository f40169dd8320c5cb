import AccountService

extension DailyCheck {
    /// What a running server does side by side.
    func round() async {
        await askAboutDue()
        await endDeadGrants()
    }
}
