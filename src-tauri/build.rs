//! Declares the commands to Tauri's permission system and embeds `ui/dist`.

#[path = "src/commands/names.rs"]
mod names;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/commands/names.rs");
    // The files are embedded by a macro, which by itself does not notice a new build of them.
    println!("cargo::rerun-if-changed=../ui/dist");
    place_holder()?;
    let commands = tauri_build::AppManifest::new().commands(names::NAMES);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}

/// Without a built front end the shell could not even be checked.
#[allow(clippy::disallowed_methods, reason = "a build script writes files")]
fn place_holder() -> std::io::Result<()> {
    let page = Path::new("../ui/dist/index.html");
    if page.exists() {
        return Ok(());
    }
    std::fs::create_dir_all("../ui/dist")?;
    std::fs::write(page, "<!doctype html><title>Namma Agent</title><p>Build the front end: npm run build in ui/</p>\n")
}
