extension SQLMigration {
    /// Null where nobody has said what the device is called, and in what older programs write.
    static let sessionNames = SQLMigration(name: "session names") { word in
        ["ALTER TABLE sessions ADD COLUMN device_name \(word.text)"]
    }
}
