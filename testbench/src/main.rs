//! The command line `awgstar`.
fn main() {
    awgstar_testbench::generated::write(std::path::Path::new(".")).unwrap();
}
