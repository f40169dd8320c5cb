/// A button with mark and title, as SVG: sharp at every size, and the title in the reader's own fonts.
struct ButtonImage {
    enum LogoSize: String, Sendable {
        case small
        case medium
        case large

        /// The share of the button's height.
        var share: Double {
            switch self {
            case .small: 0.4
            case .medium: 0.5
            case .large: 0.6
            }
        }
    }

    enum Alignment: Sendable {
        /// Mark and title together in the middle.
        case center
        /// Mark and title counted from the edge where reading begins. A label position of zero is right after the mark.
        case left(logoPosition: Int, labelPosition: Int, logoSize: LogoSize)
    }

    let style: ButtonStyle
    let width: Int
    let height: Int
    let title: ButtonTitle
    let locale: ButtonLocale
    let alignment: Alignment

    /// The positions of mark and title, counted from the edge where reading begins.
    private struct Layout {
        var mark: Double
        var markSize: Double
        var text: Double
        var fontSize: Double
    }

    var svg: String {
        let layout = layout
        let ink = style.ink.rawValue
        let middle = Double(height) / 2
        let isMirrored = locale.isRightToLeft
        let markX = isMirrored ? Double(width) - layout.mark - layout.markSize : layout.mark
        let textX = isMirrored ? Double(width) - layout.text : layout.text
        let text = HTMLEscaping().escapeText(locale.text(title))
        let inset = style.hasBorder ? 0.5 : 0
        let radius = min(Double(style.cornerRadius), middle)
        let border = style.hasBorder ? " stroke=\"\(ink)\"" : ""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width * style.scale)" height="\(height * style.scale)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="\(text)" lang="\(locale.language)">\
            <rect x="\(Self.text(inset))" y="\(Self.text(inset))" width="\(Self.text(Double(width) - 2 * inset))" \
            height="\(Self.text(Double(height) - 2 * inset))" rx="\(Self.text(radius))" \
            fill="\(style.color.rawValue)"\(border)/>\
            <path transform="translate(\(Self.text(markX)) \(Self.text(middle - layout.markSize / 2))) \
            scale(\(Self.text(layout.markSize / 24)))" d="\(ButtonMark.path)" fill="none" stroke="\(ink)" \
            stroke-width="\(Self.text(ButtonMark.stroke))" stroke-linecap="round" stroke-linejoin="round"/>\
            <text x="\(Self.text(textX))" y="\(Self.text(middle + layout.fontSize * 0.35))" \
            font-family="system-ui, -apple-system, sans-serif" font-weight="500" \
            font-size="\(Self.text(layout.fontSize))" direction="\(isMirrored ? "rtl" : "ltr")" fill="\(ink)">\
            \(text)</text></svg>

            """
    }

    private var layout: Layout {
        let margin = Double(height) * 0.25
        let wanted = Double(height) * 0.43
        switch alignment {
        case .center:
            // The mark is as high as the letters and shrinks with them, the gap is two fifths of that.
            let room = Double(width) - 2 * min(margin, 8)
            let size = min(wanted, room / (unitWidth + 1.4))
            let start = (Double(width) - size * (unitWidth + 1.4)) / 2
            return Layout(mark: start, markSize: size, text: start + size * 1.4, fontSize: size)
        case .left(let logoPosition, let labelPosition, let logoSize):
            let markSize = Double(height) * logoSize.share
            // At zero the mark would touch the edge, and be cut by round corners.
            let mark = logoPosition > 0 ? Double(logoPosition) : margin / 2
            let text = labelPosition > 0 ? Double(labelPosition) : mark + markSize + wanted * 0.4
            let room = max(Double(width) - margin - text, Double(width) / 4)
            return Layout(mark: mark, markSize: markSize, text: text, fontSize: min(wanted, room / unitWidth))
        }
    }

    /// The width of the title at a font size of one. It is a generous guess, because the fonts are the reader's.
    private var unitWidth: Double {
        locale.text(title).unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            case 0x20, 0x69, 0x6C, 0x2019: width + 0.3
            case 0x1100...: width + (scalar.value < 0x2000 ? 0.6 : 1)
            default: width + (scalar.properties.isUppercase ? 0.7 : 0.61)
            }
        }
    }

    /// Returns a number with two decimals at most, the same on every machine.
    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}

/// The style that all three images share.
struct ButtonStyle: Sendable {
    enum Color: String, Sendable {
        case black
        case white
    }

    var color = Color.black
    var hasBorder = false
    var cornerRadius = 15
    /// Pixels for each unit of the other lengths.
    var scale = 1

    /// The color of title, mark and border.
    var ink: Color { color == .black ? .white : .black }
}

/// The title of a button.
enum ButtonTitle: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case `continue`
    case signUp = "sign-up"
}
