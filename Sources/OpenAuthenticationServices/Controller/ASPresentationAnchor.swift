public import Foundation

/// Stands for the window over which a person is asked. There is none here: the value is asked for and not used.
open class ASPresentationAnchor: NSObject {
    public override init() {}
}
