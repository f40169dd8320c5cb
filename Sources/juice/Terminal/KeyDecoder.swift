import Foundation
import JuiceScreens

/// Makes keys of the bytes of a terminal in raw mode. The bytes may arrive in any pieces.
struct KeyDecoder {
    private enum State {
        case ground
        /// After ESC: the key itself, or the beginning of a sequence.
        case escape
        /// After `ESC [` (ECMA-48 5.4): parameters until the final byte.
        case control
        /// After `ESC O`: one byte, as terminals in application mode send cursor keys.
        case shift3
        /// Inside a character of several bytes.
        case character(missing: Int)
    }

    private var state = State.ground
    private var character: [UInt8] = []

    /// Whether a key may be complete: if nothing follows within a moment, call ``endOfBytes()``.
    var isAfterEscape: Bool {
        if case .escape = state { true } else { false }
    }

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.flatMap { decode($0) }
    }

    /// Nothing has followed: an ESC was the key of that name.
    mutating func endOfBytes() -> [Key] {
        guard isAfterEscape else { return [] }
        state = .ground
        return [.escape]
    }

    private mutating func decode(_ byte: UInt8) -> [Key] {
        switch state {
        case .ground:
            return ground(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .control
            case UInt8(ascii: "O"): state = .shift3
            case 0x1B: return [.escape]
            default:
                // Alt and a key: no key of ours, and not two of them.
                state = .ground
            }
            return []
        case .control:
            guard !(0x20...0x3F).contains(byte) else { return [] }
            state = .ground
            // A sequence that was cut off: what came belongs to the next.
            if byte < 0x20 { return ground(byte) }
            return cursorKey(byte)
        case .shift3:
            state = .ground
            return cursorKey(byte)
        case .character(let missing):
            guard (0x80...0xBF).contains(byte) else {
                state = .ground
                return ground(byte)
            }
            character.append(byte)
            state = missing == 1 ? .ground : .character(missing: missing - 1)
            return missing == 1 ? characterKey() : []
        }
    }

    private mutating func ground(_ byte: UInt8) -> [Key] {
        switch byte {
        case 0x03: return [.interrupt]
        case 0x1A: return [.suspend]
        case 0x09: return [.tab]
        case 0x0A, 0x0D: return [.enter]
        // Terminals send one or the other for the same key.
        case 0x08, 0x7F: return [.backspace]
        case 0x15: return [.eraseLine]
        case 0x1B:
            state = .escape
            return []
        case 0x20...0x7E: return [.character(Character(Unicode.Scalar(byte)))]
        case 0xC2...0xF4:
            character = [byte]
            state = .character(missing: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
            return []
        default: return []
        }
    }

    private func cursorKey(_ final: UInt8) -> [Key] {
        switch final {
        case UInt8(ascii: "A"): [.up]
        case UInt8(ascii: "B"): [.down]
        case UInt8(ascii: "C"): [.right]
        case UInt8(ascii: "D"): [.left]
        case UInt8(ascii: "M"): [.enter]
        case UInt8(ascii: "Z"): [.backTab]
        default: []
        }
    }

    private func characterKey() -> [Key] {
        guard let text = String(bytes: character, encoding: .utf8), let first = text.first else { return [] }
        return [.character(first)]
    }
}
