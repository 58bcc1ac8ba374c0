//! Images of machines, and machines from images.

use flate2::Crc;
use gpusched::{FrontEnd, ImageError, InlineTables, Tables};
use gpusched_heap::{HeapTables, tables};

/// Bytes before the body.
pub const HEADER: usize = 16;
/// Bytes behind it.
pub const CHECKSUM: usize = 4;

/// A machine's image.
///
/// # Panics
/// If the machine takes another number of bytes than it announced.
#[must_use]
pub fn image<T: Tables>(gpu: &FrontEnd<T>) -> Vec<u8> {
    let mut image = vec![0xa5; gpu.image_len()];
    assert_eq!(gpu.save(&mut image), Ok(image.len()), "what `image_len` said");
    image
}

/// An image in the frame of another one with a body of somebody's making, whose length and checksum are right all the same.
#[must_use]
pub fn forged(like: &[u8], body: &[u8]) -> Vec<u8> {
    let mut forged = [&like[..HEADER - 4], &(body.len() as u32).to_le_bytes(), body].concat();
    let mut crc = Crc::new();
    crc.update(&forged);
    forged.extend(crc.sum().to_le_bytes());
    forged
}

/// The machine of an image, on tables on the heap.
///
/// # Errors
/// As [`FrontEnd::restore`].
pub fn on_heap(image: &[u8]) -> Result<FrontEnd<HeapTables>, ImageError> {
    FrontEnd::restore(image, tables(&gpusched::image_config(image)?))
}

/// The machine of an image, on inline tables.
///
/// # Errors
/// As [`FrontEnd::restore`].
pub fn inline<T: InlineTables>(image: &[u8]) -> Result<FrontEnd<T>, ImageError> {
    FrontEnd::restore(image, T::empty())
}
