/// The version of this package.
///
/// Requests to Apple carry it as their `User-Agent`, and `siwa --version` and `juice --version` print it. A release
/// changes it here and nowhere else.
package enum SiwaVersion {
    /// As semantic versioning has it, without a letter in front.
    package static let current = "0.1.0"
}
