/// The destination of the snippets' own `print` in a test.
enum Printed {
    @TaskLocal static var lines: Happenings<String>?
}

/// Stands before the standard library's in this module.
func print(_ items: Any...) {
    Printed.lines?.note(items.map { "\($0)" }.joined(separator: " "))
}
