#if os(Linux)
    import Dispatch
    import Foundation

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// One run of another program, which is killed when its time is over. It blocks its thread until then, and a second
    /// longer at most.
    struct ProgramRun {
        var program: URL
        var arguments: [String]
        var environment: [String: String]

        struct Outcome {
            var status: Int32
            var output: Data
            var errors: Data

            var isSilent: Bool { output.isEmpty && errors.isEmpty }
        }

        /// - Parameter input: at most what a pipe holds, a page at least, since it is put there before the program
        ///   runs: writing to a program that has ended would end this process too.
        /// - Returns: nil when the program was killed because its time was over.
        func run(input: Data, timeout: Duration) throws(SecretStorageError) -> Outcome? {
            let deadline = ContinuousClock.now + timeout
            let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
            try Self.fill(standardInput, with: input)
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.environment = environment
            process.standardInput = standardInput
            process.standardOutput = output
            process.standardError = errors
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            do {
                try process.run()
            } catch {
                throw SecretStorageError(.failed, "\(program.lastPathComponent) cannot be started")
            }
            // `run` has closed its ends of the pipes in this process, so that they end with the program.
            var streams = [Stream(output), Stream(errors)]
            while streams.contains(where: { !$0.isAtEnd }), Self.wait(for: streams, until: deadline) {
                for index in streams.indices { streams[index].take() }
            }
            guard ended.wait(timeout: .now() + .nanoseconds(Self.nanoseconds(until: deadline))) == .success else {
                // Kills the program and all that it has started. Foundation gives each program a process group of its
                // own, and reports an end only when every process that inherited its socket is gone. A process that
                // left the group is not waited for.
                kill(-process.processIdentifier, SIGKILL)
                _ = ended.wait(timeout: .now() + .seconds(1))
                return nil
            }
            for index in streams.indices { streams[index].take() }
            let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            return Outcome(status: status, output: streams[0].data, errors: streams[1].data)
        }

        private static func fill(_ pipe: Pipe, with input: Data) throws(SecretStorageError) {
            let end = pipe.fileHandleForWriting
            // Don't wait for a reader for ever if the pipe is smaller than usual.
            _ = fcntl(end.fileDescriptor, F_SETFL, O_NONBLOCK)
            do {
                try end.write(contentsOf: input)
                try end.close()
            } catch {
                throw SecretStorageError(.tooLarge, "the secret does not fit into a pipe")
            }
        }

        /// - Returns: false when the time is over.
        private static func wait(for streams: [Stream], until deadline: ContinuousClock.Instant) -> Bool {
            let rest = nanoseconds(until: deadline)
            guard rest > 0 else { return false }
            var entries = streams.filter { !$0.isAtEnd }.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            unsafe poll(&entries, nfds_t(entries.count), Int32(rest / 1_000_000 + 1))
            return true
        }

        private static func nanoseconds(until deadline: ContinuousClock.Instant) -> Int {
            let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: deadline)).components
            return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        }
    }

    /// A program's output, read without waiting.
    private struct Stream {
        private let handle: FileHandle
        private(set) var data = Data()
        private(set) var isAtEnd = false

        /// The limit in bytes. Answers are short; a longer one is not read to its end.
        private static let limit = 1 << 20

        init(_ pipe: Pipe) {
            handle = pipe.fileHandleForReading
            _ = fcntl(handle.fileDescriptor, F_SETFL, O_NONBLOCK)
        }

        var descriptor: Int32 { handle.fileDescriptor }

        mutating func take() {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while !isAtEnd {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    data.append(contentsOf: buffer.prefix(count))
                    isAtEnd = data.count > Self.limit
                } else {
                    isAtEnd = count == 0 || (errno != EAGAIN && errno != EINTR)
                    return
                }
            }
        }
    }
#endif
