//! Writes every page with sample data to a folder: `cargo run -p baize-web --example gallery -- FOLDER`.

#[path = "all.rs"]
mod all;

use std::path::PathBuf;
use std::{env, fs, io};

use baize_web::pages::assets;

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
    fs::create_dir_all(folder.join("assets"))?;
    fs::write(folder.join("assets/baize.css"), assets::style())?;
    fs::write(folder.join("assets/baize.js"), assets::script())?;
    fs::write(folder.join("assets/icon.svg"), assets::ICON)?;
    let pages = all::pages();
    for (name, text) in &pages {
        fs::write(folder.join(format!("{name}.html")), text)?;
    }
    println!("{} pages in {}", pages.len(), folder.display());
    Ok(())
}
