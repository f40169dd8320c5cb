import JuiceScreens
import UnixSignals

/// Passes events to the model, the model's screens to the surface, and its effects to the code that carries them out.
struct JuiceApp {
    private var model: JuiceModel
    private var surface: any Surface
    private var work: AccountWork
    private let events: AsyncStream<Event>

    /// - Parameter events: what `work` sends to.
    init(
        surface: any Surface, work: AccountWork, events: AsyncStream<Event>, providers: [OfferedProvider] = []
    ) {
        model = JuiceModel(providers: providers)
        self.surface = surface
        self.work = work
        self.events = events
    }

    /// - Returns: the status to end the process with.
    mutating func run() async throws -> Int32 {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigwinch, .sigcont)
        let (work, send) = (work, work.events)
        let watching = [
            Task { await work.followSession() },
            Task { await work.followEvents() },
            Task { for await signal in signals { send.yield(Event(signal)) } },
        ]
        defer { for task in watching { task.cancel() } }

        try surface.open()
        defer { surface.close() }
        surface.readKeys(to: send)
        send.yield(.launched)
        for await event in events {
            let effects = model.handle(event)
            try surface.show(model)
            for effect in effects {
                if case .exit(let status) = effect { return status }
                try perform(effect)
            }
        }
        return 0
    }

    private mutating func perform(_ effect: Effect) throws {
        switch effect {
        case .suspend:
            surface.close()
            TerminalDevice.suspend()
            try resume()
        case .resume: try resume()
        default: work.perform(effect)
        }
    }

    /// The shell may have had the terminal for itself.
    private mutating func resume() throws {
        try surface.open()
        try surface.show(model)
    }
}

extension Event {
    fileprivate init(_ signal: UnixSignal) {
        switch signal {
        case .sigint: self = .key(.interrupt)
        case .sigwinch: self = .resized
        case .sigcont: self = .woken
        // Shells give this status to a process that a signal ended.
        default: self = .terminated(status: 128 + signal.rawValue)
        }
    }
}
