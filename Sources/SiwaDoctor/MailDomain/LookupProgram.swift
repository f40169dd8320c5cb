/// A program that looks up records of the DNS, and how to read what it prints. The first that is installed is used.
enum LookupProgram: String, CaseIterable {
    /// BIND's program.
    case dig
    /// The program of ldns, by NLnet Labs.
    case drill
    /// BIND's shorter program, often installed without `dig`.
    case host
    /// systemd's program, which asks `systemd-resolved`.
    case resolvectl

    /// The arguments that ask for the TXT records of a name.
    func arguments(for name: String) -> [String] {
        switch self {
        case .dig:
            // `-r`: no settings of the user's. `+nofail`: after a server that fails, the next one is asked.
            [
                "-r", "-q", name, "-t", "TXT", "+noall", "+comments", "+answer", "+nofail", "+time=2", "+tries=1",
            ]
        case .drill: [name, "TXT"]
        // With the full stop, the machine's search domains are left alone.
        case .host: ["-t", "TXT", "-W", "2", name + "."]
        case .resolvectl: ["query", "--type=TXT", "--legend=no", name]
        }
    }

    /// Reads what the program prints. Output of another form is a failure, never an absent record.
    func read(_ output: String) -> TextAnswer {
        let lines = output.split(whereSeparator: \.isNewline)
        switch self {
        case .dig: return readMessage(lines, status: "status: ")
        case .drill: return readMessage(lines, status: "rcode: ")
        case .host: return readHost(lines)
        case .resolvectl: return readResolvectl(lines)
        }
    }

    /// `dig` and `drill` print the message: a line with the status, then one for each record.
    private func readMessage(_ lines: [Substring], status word: String) -> TextAnswer {
        guard let header = lines.last(where: { $0.hasPrefix(";") && $0.contains(word) }),
            let status = header.firstRange(of: word).map({ header[$0.upperBound...].prefix { $0.isLetter } })
        else { return noAnswer(lines) }
        guard ["NOERROR", "NXDOMAIN"].contains(status) else { return .failed("the name server says \(status)") }
        let records = lines.filter { !$0.hasPrefix(";") }.compactMap { line -> String? in
            // `example.com. 300 IN TXT "v=spf1 " "-all"`; records of other types can stand beside it.
            let words = line.split(maxSplits: 4, whereSeparator: \.isWhitespace)
            return words.count == 5 && words[3] == "TXT" ? Self.text(words[4]) : nil
        }
        return .texts(records)
    }

    /// `host` prints a sentence for each record, and one where there is none.
    private func readHost(_ lines: [Substring]) -> TextAnswer {
        let records = lines.compactMap { line in
            line.firstRange(of: " descriptive text ").map { Self.text(line[$0.upperBound...]) }
        }
        if !records.isEmpty { return .texts(records) }
        guard let last = lines.last else { return noAnswer(lines) }
        if last.hasSuffix(" has no TXT record") || last.hasSuffix("(NXDOMAIN)") { return .texts([]) }
        if last.hasPrefix("Host "), let number = last.firstIndex(of: "("), last.hasSuffix(")") {
            return .failed("the name server says \(last[last.index(after: number)...].dropLast())")
        }
        return noAnswer(lines)
    }

    /// `resolvectl` prints a line for each record, and otherwise says that the call failed.
    private func readResolvectl(_ lines: [Substring]) -> TextAnswer {
        let records = lines.compactMap { line -> String? in
            guard let range = line.firstRange(of: " IN TXT ") else { return nil }
            // Behind the record may stand the network that it came by.
            let rest = line[range.upperBound...]
            return Self.text(rest.firstRange(of: " -- link: ").map { rest[..<$0.lowerBound] } ?? rest)
        }
        if !records.isEmpty { return .texts(records) }
        guard let last = lines.last else { return noAnswer(lines) }
        let isAbsent =
            last.contains("resolve call failed: ")
            && (last.hasSuffix(" not found") || last.hasSuffix(" does not have any RR of the requested type"))
        return isAbsent ? .texts([]) : noAnswer(lines)
    }

    private func noAnswer(_ lines: [Substring]) -> TextAnswer {
        let last = lines.last.map { $0.drop { $0 == ";" || $0 == " " } } ?? "no output"
        return .failed("no name server answers (\(rawValue): \(last))")
    }

    /// The strings of one record, without the quotation marks and put together.
    private static func text(_ strings: Substring) -> String {
        var bytes: [UInt8] = []
        var isQuoted = false
        var rest = strings.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\"):
                // RFC 1035 §5.1: `\DDD` is a byte in decimal, `\X` the character itself.
                if let number = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)), rest.first != UInt8(ascii: "+")
                {
                    bytes.append(number)
                    rest = rest.dropFirst(3)
                } else if let next = rest.popFirst() {
                    bytes.append(next)
                }
            default: if isQuoted { bytes.append(byte) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
