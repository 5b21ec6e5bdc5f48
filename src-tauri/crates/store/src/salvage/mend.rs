//! Makes a damaged copy readable where we know what must be there: a fresh file has the same page
//! size, the same tables and, made by the same statements, the same places for their roots.

use crate::files::{self, HEADER_BYTES};
use namma_core::ports::StoreError;
use std::ops::Range;
use std::path::Path;

const PAGE_BYTES: usize = 4096;

/// The number of pages, in the header.
const PAGES: Range<usize> = 28..32;

/// Equal counters say that the number of pages can be trusted.
const COUNTERS: [Range<usize>; 2] = [24..28, 92..96];

/// A destroyed header would hide sound pages, and a file that was cut would be refused for its
/// length.
pub(super) fn header(fresh: &Path, source: &Path) -> Result<(), StoreError> {
    let whole = |header: &Vec<u8>| header.len() == HEADER_BYTES;
    let Some(mut header) = files::read_header(source)?.filter(whole) else { return Ok(()) };
    let pages = pages_of(source);
    if header.starts_with(b"SQLite format 3\0") {
        if number(&header[PAGES]) <= pages {
            return Ok(());
        }
    } else {
        let Some(sound) = files::read_header(fresh)?.filter(whole) else { return Ok(()) };
        header = sound;
    }
    set_pages(&mut header, pages);
    files::write_at(source, 0, &header)
}

/// Where the pages that list the tables were lost, those of the fresh file take their places.
pub(super) fn schema(fresh: &Path, source: &Path) -> Result<(), StoreError> {
    let sound = files::read(fresh)?;
    for page in schema_pages(&sound) {
        let at = (page as usize).saturating_sub(1) * PAGE_BYTES;
        if let Some(bytes) = sound.get(at..at + PAGE_BYTES) {
            files::write_at(source, at as u64, bytes)?;
        }
    }
    let Some(mut header) = files::read_header(source)? else { return Ok(()) };
    set_pages(&mut header, pages_of(source));
    files::write_at(source, 0, &header)
}

/// Page 1 and, when the list of tables is too long for it, the pages it points to.
fn schema_pages(file: &[u8]) -> Vec<u32> {
    // The header of the tree on page 1: its kind, the number of cells, the right-most child.
    const KIND: usize = 100;
    const CELLS: Range<usize> = 103..105;
    const RIGHT: Range<usize> = 108..112;
    const POINTERS: usize = 112;
    const INTERIOR: u8 = 5;
    let mut pages = vec![1];
    if file.len() < PAGE_BYTES || file[KIND] != INTERIOR {
        return pages;
    }
    pages.push(number(&file[RIGHT]));
    for cell in 0..number(&file[CELLS]) as usize {
        let pointer = POINTERS + 2 * cell;
        let cell = file.get(pointer..pointer + 2).map_or(0, number) as usize;
        pages.extend(file.get(cell..cell + 4).map(number));
    }
    pages
}

fn set_pages(header: &mut [u8], pages: u32) {
    header[PAGES].copy_from_slice(&pages.to_be_bytes());
    for counter in COUNTERS {
        header[counter].copy_from_slice(&[0, 0, 0, 1]);
    }
}

fn pages_of(path: &Path) -> u32 {
    u32::try_from(files::size(path) / PAGE_BYTES as u64).unwrap_or(u32::MAX)
}

/// Big-endian, as all numbers of the format.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
