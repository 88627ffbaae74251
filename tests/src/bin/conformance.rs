//! Vector files on the command line to passed and failed rows.

fn main() -> std::process::ExitCode {
    callgate_tests::conformance::main(std::env::args().skip(1))
}
