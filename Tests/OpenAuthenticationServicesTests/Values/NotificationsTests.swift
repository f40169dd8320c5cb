#if !canImport(Darwin)
    import OpenAuthenticationServices
    import Testing

    @Suite("The notifications of a name")
    struct NotificationsTests {
        @Test("come one by one, those from before the loop too, and no others")
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

        @Test("end with the task that reads them")
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
