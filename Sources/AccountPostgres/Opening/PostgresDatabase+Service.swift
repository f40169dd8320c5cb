#if PostgreSQL
    public import ServiceLifecycle

    /// Put it before the services that use it: a service group stops them in reverse order, so this closes last.
    extension PostgresDatabase: Service {
        public func run() async throws {
            do {
                try await gracefulShutdown()
            } catch is CancellationError {
                // A group that is cancelled instead of shut down must be closed all the same.
            }
            await close()
        }
    }
#endif
