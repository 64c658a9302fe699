//! The encoding of an XML file: what its first bytes say, made UTF-8.

/// So far into a file its encoding is looked for.
const LOOK: usize = 256;

/// The bytes of a file as UTF-8, if it is in UTF-16 or says that it is in ISO 8859-1. Others stay as they are.
pub fn decode(bytes: Vec<u8>) -> Vec<u8> {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes).unwrap_or(bytes),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes).unwrap_or(bytes),
        _ if !bytes.is_ascii() && is_latin_1(&bytes) => {
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            text.into_bytes()
        }
        _ => bytes,
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Vec<u8>> {
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    Some(String::from_utf16(&units).ok()?.into_bytes())
}

/// Whether the declaration of a document says that it is in ISO 8859-1.
fn is_latin_1(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOK)];
    let end = start.windows(2).position(|pair| pair == b"?>").unwrap_or(0);
    let declaration = String::from_utf8_lossy(&start[..end]).to_ascii_lowercase();
    let is_declared = declaration.starts_with("<?xml");
    let Some((_, rest)) = declaration.split_once("encoding").filter(|_| is_declared) else { return false };
    let name = rest.trim_start().strip_prefix('=').map(str::trim_start).unwrap_or_default();
    let name = name.trim_start_matches(['"', '\'']);
    let name = name.split(['"', '\'']).next().unwrap_or_default();
    ["iso-8859-1", "iso_8859-1", "latin1", "latin-1", "l1"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn what_is_declared_becomes_utf_8() {
        let declared = |name: &str, text: &[u8]| {
            [format!("<?xml version='1.0' encoding='{name}'?>").as_bytes(), text].concat()
        };
        assert_eq!(decode(declared("ISO-8859-1", b"\xe9")), declared("ISO-8859-1", "é".as_bytes()));
        assert_eq!(decode(declared("ISO-8859-1", "é".as_bytes())), declared("ISO-8859-1", "Ã©".as_bytes()));
        for same in [declared("UTF-8", "é".as_bytes()), declared("UTF-8", b"\xe9"), b"\xe9".to_vec()] {
            assert_eq!(decode(same.clone()), same);
        }
        assert_eq!(decode(vec![0xff, 0xfe, b'<', 0, 0xe9, 0]), "<é".as_bytes());
        assert_eq!(decode(vec![0xfe, 0xff, 0, b'<']), b"<");
        assert_eq!(decode(vec![0xff, 0xfe, b'<']), [0xff, 0xfe, b'<']);
    }
}
