//! Files with pictures. All of them go through here, and only here is known in which forms they are written.

use super::{Folder, NamedFile};
use crate::failure::Failure;
use crate::plot::png::Painter;
use std::path::{Path, PathBuf};

/// In which forms a folder takes pictures.
#[derive(Debug)]
pub struct Forms {
    svg: bool,
    png: Option<Painter>,
}

impl Forms {
    pub(super) const SVG: Self = Self { svg: true, png: None };
}

impl Folder {
    /// Takes pictures as PNG beside SVG, if that is asked for. Makes sure, before anything takes long, that they can be drawn.
    ///
    /// # Errors
    /// A machine without fonts.
    pub fn with_png(mut self, png: bool) -> Result<Self, Failure> {
        if png {
            self.forms.png = Some(Painter::new()?);
        }
        Ok(self)
    }

    /// Writes a picture: a file of this name, less its extension, for each form.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn draw(&self, stem: &str, svg: &str) -> Result<Vec<PathBuf>, Failure> {
        let mut written = Vec::new();
        if self.forms.svg {
            written.push(self.write(&format!("{stem}.svg"), svg)?);
        }
        if let Some(painter) = &self.forms.png {
            written.push(self.write(&format!("{stem}.png"), painter.png(svg)?)?);
        }
        Ok(written)
    }
}

/// A picture, or several of one name, that an option asks for: as SVG or PNG, as its name says.
#[derive(Debug)]
pub struct NamedPicture(NamedFile);

impl NamedPicture {
    /// Makes sure, before anything takes long, that `file` can be drawn and written; with `png`, beside an SVG also that.
    ///
    /// # Errors
    /// Another extension, a folder that takes no files, a machine without fonts.
    pub fn open(option: &str, file: &Path, png: bool) -> Result<Self, Failure> {
        let mut named = NamedFile::one_of(option, file, &["svg", "png"])?;
        named.folder.forms.svg = named.extension == "svg";
        named.folder = named.folder.with_png(png || named.extension == "png")?;
        Ok(Self(named))
    }

    /// Writes it; `part` goes behind its name.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn write(&self, part: &str, svg: &str) -> Result<Vec<PathBuf>, Failure> {
        self.0.folder.draw(&format!("{}{part}", self.0.stem), svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PICTURE: &str = "<svg width=\"4\" height=\"3\" xmlns=\"http://www.w3.org/2000/svg\"></svg>";

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// What there is to see on a machine without fonts is that they are asked for. The gate's machine has some.
    fn has_fonts() -> bool {
        Painter::new().is_ok()
    }

    #[test]
    fn png_comes_beside_an_svg_that_stays_as_it_is() {
        if !has_fonts() {
            return;
        }
        let base = tempfile::tempdir().unwrap();
        for (png, files) in [(false, &["x.svg"][..]), (true, &["x.png", "x.svg"])] {
            let written = Folder::open(base.path()).unwrap().with_png(png).unwrap().draw("x", PICTURE).unwrap();
            assert_eq!(
                (written.len(), names(base.path())),
                (files.len(), files.iter().map(ToString::to_string).collect())
            );
            assert_eq!(fs::read_to_string(base.path().join("x.svg")).unwrap(), PICTURE);
        }
    }

    #[test]
    fn the_name_of_a_picture_says_its_form() {
        let written = |name: &str, png: bool| {
            let base = tempfile::tempdir().unwrap();
            NamedPicture::open("--gantt", &base.path().join(name), png).unwrap().write("-a", PICTURE).unwrap();
            names(base.path())
        };
        assert_eq!(written("x.svg", false), ["x-a.svg"]);
        let refused = NamedPicture::open("--gantt", Path::new("x.jpg"), false).unwrap_err().to_string();
        assert_eq!(refused, "--gantt x.jpg: expected a file name that ends in .svg or .png");
        if !has_fonts() {
            return;
        }
        assert_eq!(written("x.svg", true), ["x-a.png", "x-a.svg"]);
        assert_eq!(written("x.png", false), ["x-a.png"]);
        assert_eq!(written("x.PNG", true), ["x-a.png"]);
    }
}
