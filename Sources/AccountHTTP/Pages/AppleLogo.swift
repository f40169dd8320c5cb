/// Apple's logo in outline, drawn for this project, on a ground of 100 by 120.
///
/// The mark is Apple's; its guidelines ask for it on a button that leads to Apple, left of the title.
enum AppleLogo {
    /// The leaf, then the body from the dip at its top, with the bite on the right.
    static let path = """
        M50.4 29.5C49.3 17.2 58.6 6.3 70.3 4.6C71.6 17 62 28.6 50.4 29.5Z\
        M51 36.6C56.4 36.6 62.2 31.4 72 31.4C79.6 31.4 86.9 35.2 91.6 41.6C84.4 46 79.9 53 79.9 61.6\
        C79.9 71.4 85.7 79.4 94.4 83C91.2 92.4 80.6 113.6 68.2 113.6C61.8 113.6 59.2 109.6 51.6 109.6\
        C43.8 109.6 40.6 113.6 34.9 113.6C22.4 113.6 6.2 89.4 6.2 66.2C6.2 44.6 19.6 32 33 32\
        C41.6 32 46.4 36.6 51 36.6Z
        """
}
