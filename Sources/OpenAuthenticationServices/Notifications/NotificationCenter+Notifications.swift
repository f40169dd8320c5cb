#if !canImport(Darwin)
    public import Foundation

    extension NotificationCenter {
        /// The notifications of this name from now on, for one loop; it ends with the loop's task. Gives way to
        /// Foundation's own, should it get one.
        @_disfavoredOverload
        public func notifications(
            named name: Notification.Name, object: AnyObject? = nil
        ) -> some AsyncSequence<Notification, Never> {
            let (stream, continuation) = AsyncStream<Notification>.makeStream()
            // Sendable: the token is only handed back, to the center that made it.
            nonisolated(unsafe) let observer = addObserver(forName: name, object: object, queue: nil) { notification in
                // A notification is handed to every observer, on whatever thread; its content is the poster's promise.
                nonisolated(unsafe) let notification = notification
                unsafe continuation.yield(notification)
            }
            continuation.onTermination = { _ in unsafe self.removeObserver(observer) }
            return stream
        }
    }
#endif
