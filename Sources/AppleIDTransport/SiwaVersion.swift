/// The version of this package.
///
/// Requests to Apple carry it as their `User-Agent`, and `siwa --version` prints it. A release changes it here and
/// nowhere else.
package enum SiwaVersion {
    package static let current = "0.1.0"
}
