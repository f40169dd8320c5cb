#if !canImport(Darwin)
    public import Foundation

    extension PersonNameComponents {
        /// Given and family name on one line, family name first and unspaced in Chinese, Japanese and Korean; else the
        /// nickname, else what there is. Gives way to Foundation's own, should it get one.
        @_disfavoredOverload
        public func formatted() -> String {
            let name = [givenName, familyName].compactMap(\.self).filter { !$0.isEmpty }
            if name.count == 2, name.allSatisfy(Self.isEastAsian) { return name.reversed().joined() }
            if !name.isEmpty { return name.joined(separator: " ") }
            if let nickname, !nickname.isEmpty { return nickname }
            return [namePrefix, middleName, nameSuffix].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: " ")
        }

        private static func isEastAsian(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                // Kana; ideographs with extension A; Hangul; compatibility ideographs; the supplementary ideographs.
                case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3134F: true
                default: false
                }
            }
        }
    }
#endif
