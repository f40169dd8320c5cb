import AccountClient

extension ASAuthorizationAppleIDButton.Style {
    /// Apple's button is to stand out from its ground. Some terminals say their colours as `foreground;background` in
    /// COLORFGBG, where 7 and 15 are the light grounds. Most say nothing, and most are dark.
    init(colorFGBG: String?) {
        let ground = colorFGBG?.split(separator: ";").last.flatMap { Int($0) }
        self = ground == 7 || ground == 15 ? .black : .white
    }

    /// Bright white on black or the reverse, as ECMA-48 8.3.117 and its usual extension number the colours.
    var graphicRendition: String {
        self == .black ? "97;40" : "30;107"
    }
}
