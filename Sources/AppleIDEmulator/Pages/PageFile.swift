import CEmulatorPages

/// A file that pages are made of: a template, a style, a script or an image. The program carries the files of
/// `Sources/CEmulatorPages`.
enum PageFile {
    /// No file has this name.
    struct Missing: Error {
        let name: String
    }

    static func text(_ name: String) throws(Missing) -> String {
        guard let file = unsafe emulator_find_page_file(name) else { throw Missing(name: name) }
        // The bytes are constant data of the program, so many and no fewer, and are copied here.
        let bytes = unsafe UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.size)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
