//! The command line.

fn main() {
    println!("Baize: Singapore's approved casino poker games. See `baize --help`.");
}
