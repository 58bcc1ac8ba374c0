//! Pictures as PNG, for slides and mails: what their SVG says, drawn with the fonts of this machine.

use super::FONT;
use anyhow::{Context, Result, anyhow, bail};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

/// Pixels for each unit of the SVG, so that words are sharp on a slide.
const PIXELS: f32 = 2.0;

/// What else a machine may have to write with if it has nothing of [`FONT`].
const OTHER_FONTS: [&str; 8] =
    ["Noto Sans", "Nimbus Sans", "FreeSans", "Open Sans", "Roboto", "Ubuntu", "Cantarell", "Verdana"];

/// Who draws, with the fonts of the machine.
#[derive(Debug)]
pub struct Painter {
    options: Options<'static>,
}

impl Painter {
    /// Finds the fonts.
    ///
    /// # Errors
    /// There is none to write with.
    pub fn new() -> Result<Self> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Self::with(fonts)
    }

    fn with(mut fonts: Database) -> Result<Self> {
        let is_there =
            |fonts: &Database, family| fonts.query(&Query { families: &[family], ..Query::default() }).is_some();
        let mut usual = FONT.split(", ").map(|name| match name.trim_matches('\'') {
            "sans-serif" => Family::SansSerif,
            name => Family::Name(name),
        });
        if !usual.any(|family| is_there(&fonts, family)) {
            let other = OTHER_FONTS.into_iter().find(|name| is_there(&fonts, Family::Name(name)));
            fonts.set_sans_serif_family(other.ok_or_else(|| {
                anyhow!(
                    "there is no sans-serif font on this machine to write the words of a PNG with, such as Liberation Sans or DejaVu \
                     Sans; install one (Debian, Ubuntu: apt install fonts-dejavu-core), or take the SVG"
                )
            })?);
        }
        Ok(Self { options: Options { fontdb: fonts.into(), ..Options::default() } })
    }

    /// The content of a PNG file with what this SVG shows.
    ///
    /// # Errors
    /// A picture with more pixels than can be drawn.
    pub fn png(&self, svg: &str) -> Result<Vec<u8>> {
        let picture = Tree::from_str(svg, &self.options).context("cannot read the SVG")?;
        let size = picture.size().to_int_size().scale_by(PIXELS);
        let Some(mut pixels) = size.and_then(|size| Pixmap::new(size.width(), size.height())) else {
            bail!("{} by {} is too large for a PNG; take the SVG", picture.size().width(), picture.size().height());
        };
        resvg::render(&picture, Transform::from_scale(PIXELS, PIXELS), &mut pixels.as_mut());
        pixels.encode_png().context("cannot encode the PNG")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(width: u32, text: &str) -> String {
        let font = format!("font-family=\"{FONT}\" font-size=\"20\"");
        format!(
            "<svg width=\"{width}\" height=\"40\" viewBox=\"0 0 {width} 40\" xmlns=\"http://www.w3.org/2000/svg\">\n\
             <rect width=\"{width}\" height=\"40\" fill=\"#FFFFFF\"/><text x=\"5\" y=\"5\" dy=\"0.76em\" {font}>\n{text}\n</text></svg>"
        )
    }

    /// None: this machine has no fonts, so that there is nothing to see. The gate's machine has some.
    fn painter() -> Option<Painter> {
        Painter::new().ok()
    }

    #[test]
    fn a_picture_has_twice_the_size_and_its_words() {
        let Some(painter) = painter() else { return };
        let pixels = |text: &str| Pixmap::decode_png(&painter.png(&svg(120, text)).unwrap()).unwrap();
        let (empty, told) = (pixels(""), pixels("cycles"));
        assert_eq!((told.width(), told.height()), (240, 80));
        assert!(empty.pixels().iter().all(|pixel| pixel.demultiply().green() == 255));
        let dark = told.pixels().iter().filter(|pixel| pixel.demultiply().green() < 128).count();
        assert!((200..4000).contains(&dark), "{dark} dark pixels");
    }

    #[test]
    fn without_a_font_nothing_is_drawn() {
        let error = Painter::with(Database::new()).unwrap_err().to_string();
        assert!(error.contains("fonts-dejavu-core"), "{error}");
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let Some(painter) = painter() else { return };
        assert!(painter.png(&svg(u32::MAX, "")).unwrap_err().to_string().contains("too large"));
        assert!(painter.png("no picture").unwrap_err().to_string().contains("SVG"));
    }
}
