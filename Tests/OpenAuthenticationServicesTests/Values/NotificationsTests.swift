#if !canImport(Darwin)
    import OpenAuthenticationServices
    import Testing

    @Suite("The notifications of a name")
    struct NotificationsTests {
        @Test("come one by one, even from before the loop, and without those of another name or sender")
        func sequence() async {
            let center = NotificationCenter()
            let name = Notification.Name("wanted")
            let sender = NSObject()
            let notifications = center.notifications(named: name, object: sender)
            center.post(name: name, object: sender, userInfo: ["number": 1])
            center.post(name: Notification.Name("other"), object: sender)
            center.post(name: name, object: NSObject())
            center.post(name: name, object: sender, userInfo: ["number": 2])
            var numbers: [Int] = []
            for await notification in notifications {
                if let number = notification.userInfo?["number"] as? Int { numbers.append(number) }
                if numbers.count == 2 { break }
            }
            #expect(numbers == [1, 2])
        }

        @Test("end when the reading task is cancelled")
        func cancelled() async {
            let task = Task {
                for await _ in NotificationCenter().notifications(named: Notification.Name("never")) {}
            }
            task.cancel()
            await task.value
            #expect(task.isCancelled)
        }
    }
#endif
